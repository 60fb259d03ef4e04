/**
 * Words of German, French, Spanish, Italian, Portuguese and Dutch that tell little about a subject, as
 * `foldText` spells them. Left out are those that mean something in English (`die`, `war`, `son`), in
 * which a query may just as well be written.
 */
export const functionWords: ReadonlySet<string> = new Set(
  `der das des dem ein eine einen einem einer eines und oder aber ist sind sein seine seinen seiner seinem
   hatte haben wird werden wurde kann konnte muss soll nicht kein keine keinen mit von vom zu zum zur bei
   uber auf aus nach um im wie wo wann wer wen wem wessen warum wieso welche welcher welches welchen ich du
   er sie es wir ihr mich mir dich dir uns euch ihn ihm ihnen mein meine meinen meiner meinem dein deine
   unser unsere sich dass wenn weil ob als auch noch nur schon mal etwas dieser diese dieses diesen gibt
   le la les un une du de et ou est sont etait etre avoir avait que qui quoi quel quelle quels quelles
   comment quand pourquoi dans avec ne pas je tu il elle nous vous ils elles mon mes ta tes sa ses notre
   votre leur leurs ce cet cette ces au aux en se qu l
   el los las unos unas esta estan ser quien cual cuando donde como por para con del al lo te su sus mi mis
   tus hay ha yo ella ellos nosotros este esto ese esa eso porque pero cuanto cuantos cuantas
   lo gli uno ed di da dal dalla della dei delle nel nella che chi cosa quale quando dove perche sono
   essere hanno ho su tra al alla alle ti si suo sua suoi mio mia tuo tua questo questa quello quella piu
   uma umas dos das na nas em ao aos quem qual onde com sem sao foi eu voce ele ela eles meu minha seu nao
   het een zijn wordt worden niet geen met van voor naar bij op om aan uit dat deze dit wie wat waar
   wanneer hoe waarom welke ik jij hij zij wij jullie hun mijn jouw haar ons onze maar ook nog`.split(
    /\s+/,
  ),
);
