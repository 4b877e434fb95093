/* The order of what a search finds: the glossary first, decisions last. All else as Sphinx has it. */
var Scorer = {
  score: ([docname, , , , score]) =>
    score + (docname === "glossary" ? 6 : docname.startsWith("decisions/") ? -4 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
