package rules_test

import "testing"

func TestFirstPerson(t *testing.T) {
	runRows(t, []row{
		{"I work at Acme.", claims("I works_at Acme/organisation holds «I work at Acme»")},
		{"I'm working for Initech these days.", claims("I works_at Initech/organisation holds «I'm working for Initech these days»")},
		{"I am employed by Umbrella Corp.", claims("I works_at Umbrella Corp/organisation holds «I am employed by Umbrella Corp»")},
		{"I joined Hooli as a data scientist in March 2024.", claims(
			"I works_at Hooli/organisation from 2024-03 «I joined Hooli as a data scientist in March 2024»",
			"I role data scientist from 2024-03 «I joined Hooli as a data scientist in March 2024»")},
		{"I work as a nurse.", claims("I role nurse holds «I work as a nurse»")},
		{"I'm the CTO of Initech.", claims(
			"I works_at Initech/organisation holds «I'm the CTO of Initech»",
			"I role CTO of Initech holds «I'm the CTO of Initech»")},
		{"I became head of customer success last month.", claims("I role head of customer success from 2026-05 «I became head of customer success last month»")},
		{"I was promoted to engineering manager in 2025.", claims("I role engineering manager from 2025 «I was promoted to engineering manager in 2025»")},
		{"I report to Priya Nair.", claims("I reports_to Priya Nair/person holds «I report to Priya Nair»")},
		{"My manager is Ann Lee.", claims("I reports_to Ann Lee/person holds «My manager is Ann Lee»")},
		{"Ann Lee is my boss.", claims("I reports_to Ann Lee/person holds «Ann Lee is my boss»")},
		{"I manage the platform team.", claims("I manages platform team/ holds «I manage the platform team»")},
		{"I work on Project Phoenix.", claims("I works_on Project Phoenix/project holds «I work on Project Phoenix»")},
		{"I live in Oslo with my wife.", claims("I lives_in Oslo/place holds «I live in Oslo»")},
		{"i live in lisbon", claims("I lives_in lisbon/place holds «i live in lisbon»")},
		{"I'm based in Kraków.", claims("I lives_in Kraków/place holds «I'm based in Kraków»")},
		{"I'm originally from Ghana.", claims("I comes_from Ghana/place from unknown holds «I'm originally from Ghana»")},
		{"I was born on 3 May 1990.", claims("I born_on 3 May 1990 from unknown holds «I was born on 3 May 1990»")},
		{"I was born in Turin on March 4th, 1988.", claims(
			"I born_in Turin/place from unknown holds «I was born in Turin on March 4th, 1988»",
			"I born_on 4 March 1988 from unknown holds «I was born in Turin on March 4th, 1988»")},
		{"My birthday is 29 February.", claims("I born_on 29 February from unknown holds «My birthday is 29 February»")},
		{"I'm 34 years old.", claims("I age 34 holds «I'm 34 years old»")},
		{"My email is dana.k@globex.com.", claims("I email dana.k@globex.com holds «My email is dana.k@globex.com»")},
		{"My phone number is +49 30 1234567.", claims("I phone +49 30 1234567 holds «My phone number is +49 30 1234567»")},
		{"My address is 12 Elm Street, Springfield.", claims("I address 12 Elm Street, Springfield holds «My address is 12 Elm Street, Springfield»")},
		{"My website is https://dana.example/about.", claims("I website https://dana.example/about holds «My website is https://dana.example/about»")},
		{"My time zone is Europe/Berlin.", claims("I time_zone Europe/Berlin holds «My time zone is Europe/Berlin»")},
		{"I speak English, German and some French.", claims("I speaks English/language holds «I speak English»")},
		{"I speak English, German and French.", claims(
			"I speaks English/language holds «I speak English, German and French»",
			"I speaks German/language holds «I speak English, German and French»",
			"I speaks French/language holds «I speak English, German and French»")},
		{"My name is Dana Kowalski.", claims("I name Dana Kowalski from unknown holds «My name is Dana Kowalski»")},
		{"Call me Dee.", claims("I goes_by Dee holds «Call me Dee»")},
		{"I love Chinese food.", claims("I prefers Chinese food holds = Dana likes Chinese food. «I love Chinese food»")},
		{"I really like hiking.", claims("I prefers hiking holds = Dana likes hiking. «I really like hiking»")},
		{"I prefer tea over coffee.", claims("I prefers tea holds «I prefer tea over coffee»")},
		{"I prefer dark mode.", claims("I prefers dark mode holds «I prefer dark mode»")},
		{"My favourite colour is green.", claims("I prefers green holds = Dana's favourite colour is green. «My favourite colour is green»")},
		{"I'm a big fan of board games.", claims("I prefers board games holds = Dana likes board games. «I'm a big fan of board games»")},
		{"I hate Chinese food.", claims("I dislikes Chinese food holds «I hate Chinese food»")},
		{"I don't like long meetings.", claims("I dislikes long meetings holds «I don't like long meetings»")},
		{"I can't stand cilantro.", claims("I dislikes cilantro holds «I can't stand cilantro»")},
		{"I'm not a fan of surprises.", claims("I dislikes surprises holds «I'm not a fan of surprises»")},
		{"Please always use metric units.", claims("I prefers metric units holds «Please always use metric units»")},
		{"Never use emojis.", claims("I dislikes emojis holds «Never use emojis»")},
		{"Always answer in German, please.", claims("I prefers answers in German holds «Always answer in German»")},
		{"I'm allergic to peanuts and shellfish.", claims(
			"I allergic_to peanuts holds «I'm allergic to peanuts and shellfish»",
			"I allergic_to shellfish holds «I'm allergic to peanuts and shellfish»")},
		{"I have a severe nut allergy.", claims("I allergic_to nut holds «I have a severe nut allergy»")},
		{"I'm vegetarian.", claims("I diet vegetarian holds = Dana is vegetarian. «I'm vegetarian»")},
		{"I drink coffee every morning.", claims("I drinks coffee holds «I drink coffee»")},
		{"I use Vim and tmux.", claims("I uses Vim/product holds «I use Vim»")},
		{"I've started using Obsidian.", claims("I uses Obsidian/product holds «I've started using Obsidian»")},
		{"I own a sailing boat.", claims("I owns sailing boat holds «I own a sailing boat»")},
		{"I'm interested in astronomy.", claims("I interested_in astronomy holds «I'm interested in astronomy»")},
		{"I'm married to Bob.", claims("I married_to Bob/person holds «I'm married to Bob»")},
		{"My wife is Ines.", claims("I married_to Ines/person holds «My wife is Ines»")},
		{"My best friend is Omar.", claims("I friend_of Omar/person holds «My best friend is Omar»")},
		{"My older sister is Greta.", claims("I sibling_of Greta/person holds = Greta is a sibling of Dana. «My older sister is Greta»")},
		{"I have a son named Leo.", claims("I parent_of Leo/person holds «I have a son named Leo»")},
		{"My mother is Ruth.", claims("Ruth/person parent_of I holds «My mother is Ruth»")},
		{"I have a dog named Rex.", claims("I has_pet Rex/pet holds = Dana has a dog called Rex. «I have a dog named Rex»")},
		{"My cat's name is Minka.", claims("I has_pet Minka/pet holds = Dana has a cat called Minka. «My cat's name is Minka»")},
		{"I study physics at ETH.", claims("I studies_at ETH/organisation holds «I study physics at ETH»")},
		{"I graduated from Leeds University in 2011.", claims("I graduated_from Leeds University/organisation from 2011 «I graduated from Leeds University in 2011»")},
		{"I founded Tidewater in 2019.", claims("I founded Tidewater/organisation from 2019 «I founded Tidewater in 2019»")},
		{"I'm a member of the safety committee.", claims("I member_of safety committee/ holds «I'm a member of the safety committee»")},
		{"I promised to send the report by Friday.", claims("I committed_to send the report by Friday «I promised to send the report by Friday»")},
		{"I live in Oslo and work at Acme.", claims(
			"I works_at Acme/organisation holds «I live in Oslo and work at Acme»",
			"I lives_in Oslo/place holds «I live in Oslo»")},
		{"I'm on Pro with 5 seats.", claims(
			"I on_plan Pro/plan holds «I'm on Pro»",
			"I seat_count 5 holds «I'm on Pro with 5 seats»")},
	})
}

func TestThirdPerson(t *testing.T) {
	runRows(t, []row{
		{"Ann works at Acme.", claims("Ann/person works_at Acme/organisation holds «Ann works at Acme»")},
		{"Ann works at Acme in the marketing department.", claims(
			"Ann/person works_at Acme/organisation holds = Ann works at Acme in the marketing department. «Ann works at Acme»")},
		{"Priya is the CFO of Northwind.", claims(
			"Priya/person role CFO of Northwind holds «Priya is the CFO of Northwind»",
			"Priya/person works_at Northwind/organisation holds «Priya is the CFO of Northwind»")},
		{"Globex uses Slack, Jira and Notion.", claims(
			"Globex/ uses Slack/product holds «Globex uses Slack, Jira and Notion»",
			"Globex/ uses Jira/product holds «Globex uses Slack, Jira and Notion»",
			"Globex/ uses Notion/product holds «Globex uses Slack, Jira and Notion»")},
		{"Globex is on the Enterprise plan.", claims("Globex/ on_plan Enterprise/plan holds «Globex is on the Enterprise plan»")},
		{"Globex's plan is Pro.", claims("Globex/ on_plan Pro/plan holds «Globex's plan is Pro»")},
		{"Initech has 250 employees.", claims("Initech/organisation employee_count 250 holds «Initech has 250 employees»")},
		{"Initech is headquartered in Austin.", claims("Initech/ located_in Austin/place holds «Initech is headquartered in Austin»")},
		{"Ann lives in Rome.", claims("Ann/person lives_in Rome/place holds «Ann lives in Rome»")},
		{"Ann moved from Berlin to Paris in March 2025.", claims(
			"Ann/person lives_in Berlin/place from unknown to 2025-03 «Ann moved from Berlin to Paris in March 2025»",
			"Ann/person lives_in Paris/place from 2025-03 «Ann moved from Berlin to Paris in March 2025»")},
		{"Pro costs $20 per seat per month.", claims("Pro/plan price $20 per seat per month holds «Pro costs $20 per seat per month»")},
		{"The price of Basic is 9 euros.", claims("Basic/plan price 9 euros holds «The price of Basic is 9 euros»")},
		{"Pro includes SSO.", claims("Pro/plan has_feature SSO/feature holds «Pro includes SSO»")},
		{"Basic doesn't include SSO.", claims("retract Basic/plan has_feature SSO/feature «Basic doesn't include SSO»")},
		{"SCIM requires the Enterprise plan.", claims("SCIM/ requires Enterprise/plan holds «SCIM requires the Enterprise plan»")},
		{"SSO needs the Security add-on for teams under 50 seats.", claims(
			"SSO/ requires Security add-on/feature holds = SSO needs the Security add-on for teams under 50 seats. «SSO needs the Security add-on»")},
		{"Ann reports to Bob.", claims("Ann/person reports_to Bob/person holds «Ann reports to Bob»")},
		{"Ann leads the Berlin office.", claims("Ann/person manages Berlin office/ holds «Ann leads the Berlin office»")},
		{"The owner of Phoenix is Priya.", claims("Phoenix/place owner Priya/person holds «The owner of Phoenix is Priya»")},
		{"Priya is responsible for Project Atlas.", claims("Project Atlas/project owner Priya/person holds «Priya is responsible for Project Atlas»")},
		{"Project Atlas is on hold.", claims("Project Atlas/project status on hold holds «Project Atlas is on hold»")},
		{"The status of Atlas is blocked.", claims("Atlas/ status blocked holds «The status of Atlas is blocked»")},
		{"The deadline for Atlas is 30 September 2026.", claims("Atlas/ deadline 30 September 2026 from unknown holds «The deadline for Atlas is 30 September 2026»")},
		{"Project Atlas is due on Friday.", claims("Project Atlas/project deadline 19 June 2026 from unknown holds «Project Atlas is due on Friday»")},
		{"Ann is married to Bob.", claims("Ann/person married_to Bob/person holds «Ann is married to Bob»")},
		{"Ann and Bob are married.", claims("Ann/person married_to Bob/person holds «Ann and Bob are married»")},
		{"Ann and Bob work at Acme.", claims(
			"Ann/person works_at Acme/organisation holds «Ann and Bob work at Acme»",
			"Bob/person works_at Acme/organisation holds «Ann and Bob work at Acme»")},
		{"Ann and Bob moved to Paris last year.", claims(
			"Ann/person lives_in Paris/place from 2025 «Ann and Bob moved to Paris last year»",
			"Bob/person lives_in Paris/place from 2025 «Ann and Bob moved to Paris last year»")},
		{"Ann's email address is ann@acme.org.", claims("Ann/person email ann@acme.org holds «Ann's email address is ann@acme.org»")},
		{"Ann's birthday is May 3rd.", claims("Ann/person born_on 3 May from unknown holds «Ann's birthday is May 3rd»")},
		{"Ann is allergic to cats.", claims("Ann/person allergic_to cats holds «Ann is allergic to cats»")},
		{"Ann speaks Portuguese fluently.", nil},
		{"Daniel likes tea.", claims("Daniel/person prefers tea holds = Daniel likes tea. «Daniel likes tea»")},
		{"Ann owns Tidewater.", claims("Ann/person owns Tidewater/ holds «Ann owns Tidewater»")},
		{"Billing is part of the Finance department.", claims("Billing/ part_of Finance department/ holds «Billing is part of the Finance department»")},
		{"Acme hired Bob in April.", claims("Bob/person works_at Acme/organisation from 2026-04 «Acme hired Bob in April»")},
		{"My friend Ann works at Acme.", claims("Ann/person works_at Acme/organisation holds «My friend Ann works at Acme»")},
		{"John is here. He also has a friend named Mike.", claims("John/person friend_of Mike/person holds «He also has a friend named Mike»")},
		{"Ann met Bob. She works at Acme.", nil},
		{"She works at Acme.", nil},
		{"They live in Rome.", nil},
		{"Cats like milk.", nil},
		{"Everyone uses Slack.", nil},
		{"The weather is nice in Rome.", nil},
		{"My wife works at Acme.", nil},
	})
}

func TestWe(t *testing.T) {
	runRows(t, []row{
		{"We're on the Growth plan.", claims("we on_plan Growth/plan holds «We're on the Growth plan»")},
		{"We have 45 seats on Basic.", claims(
			"we seat_count 45 holds «We have 45 seats»",
			"we on_plan Basic/plan holds «We have 45 seats on Basic»")},
		{"We have 1,200 seats.", claims("we seat_count 1,200 holds «We have 1,200 seats»")},
		{"Our plan is Premium.", claims("we on_plan Premium/plan holds «Our plan is Premium»")},
		{"We use Postgres for billing.", claims("we uses Postgres/product holds «We use Postgres»")},
		{"Our office is in Hamburg.", claims("we located_in Hamburg/place holds «Our office is in Hamburg»")},
		{"We decided to use Postgres.", claims("we decided use Postgres «We decided to use Postgres»")},
		{"We have about thirty people.", nil},
		{"We're on vacation.", nil},
		{"We're on Slack.", nil},
		{"We're on Windows 11 Pro.", nil},
		{"We are on call this week.", nil},
		{"I'm the ops lead at Globex. We're on Team with 12 seats.", claims(
			"I works_at Globex/organisation holds «I'm the ops lead at Globex»",
			"I role ops lead at Globex holds «I'm the ops lead at Globex»",
			"we on_plan Team/plan holds «We're on Team»",
			"we seat_count 12 holds «We're on Team with 12 seats»")},
		{"We're on Pro and I work at Globex.", claims(
			"I works_at Globex/organisation holds «I work at Globex»",
			"we on_plan Pro/plan holds «We're on Pro»")},
	})
}
