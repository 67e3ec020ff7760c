package rules_test
import ("testing";"strings";"context";"tenure/extract/rules";"tenure/facts";"time")
func BenchmarkNew(b *testing.B){ p:=facts.Shipped().All(); for b.Loop(){ if _,err:=rules.New(p); err!=nil{b.Fatal(err)} } }
func BenchmarkAll(b *testing.B){ r:=facts.Shipped(); for b.Loop(){ r.All() } }
func BenchmarkStory(b *testing.B){ e:=extractor(b); in:=message(b,"We're on Basic with 30 seats, and SSO isn't set up yet.",said); for b.Loop(){ e.Extract(context.Background(),in) } }
func TestBig(t *testing.T){ e:=extractor(t)
 for name,unit:=range map[string]string{"plain":"We're on Basic with 30 seats, and SSO isn't set up yet. ","a":"a","commas":"and, ","I":"I ","names":"Ann and ","dots":". ","q":"\" ","mem":"<memory ","open":"( ","since":"since ","apos":"'s ","lines":"Ann: x\n","word":"word ","from":"from 2019 to ","for":"for the ","digits":"1,","fence":"```","1234 ":"1234 ", "pro":"On Pro, ", "dash":"- ","uni":"é́"} {
  text:=strings.Repeat(unit,(1<<20)/len(unit)); for _,k:=range []bool{false,true}{
  in:=message(t,text,said); if k {in=document(t,text,said)}
  t0:=time.Now(); d,err:=e.Extract(context.Background(),in); if err!=nil{t.Fatal(err)}
  t.Log(name,k,time.Since(t0),len(d.Claims)) } } }
