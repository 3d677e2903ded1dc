"use strict";
const form = document.getElementById("form");
const said = document.getElementById("said");
let saved = true;
form.addEventListener("change", () => { saved = false; });
window.addEventListener("beforeunload", (event) => { if (!saved) event.preventDefault(); });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const ranks = {};
  let open = 0;
  for (const question of document.querySelectorAll("[data-question]")) {
    const selects = [...question.querySelectorAll("select")];
    const given = selects.filter((select) => select.value);
    if (given.length < selects.length) open += 1;
    if (given.length) {
      ranks[question.dataset.question] = Object.fromEntries(given.map((s) => [s.dataset.letter, Number(s.value)]));
    }
  }
  const rater = document.getElementById("rater").value.trim();
  const text = JSON.stringify({ format: document.body.dataset.format, rater, ranks }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "ratings.json";
  link.click();
  saved = true;
  said.textContent = open
    ? `Saved as ratings.json. ${open} questions are not ranked to the end and do not count; you can go on and save again.`
    : "Saved as ratings.json. All questions are ranked. Thank you.";
});
