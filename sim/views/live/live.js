// Follows a run that goes on: asks its server for what is new, and says so when there is nobody left to ask.
// Before it stand `after`, how many packets the page has taken up, and `run`, the name of the server's run.

const PAUSE = 1000, LONGEST = 10000; // milliseconds between two questions; the longer of them while nobody answers
let state = "";
const me = Math.random().toString(36).slice(2);
const anew = performance.getEntriesByType("navigation")[0]?.type === "reload";
const linked = location.hash.includes("t=") && !anew; // looked at before the page puts its own moment there
const note = document.createElement("p"), words = document.createElement("span"), newest = document.createElement("button");

if (location.search) history.replaceState(null, "", location.pathname + location.hash); // the token is in a cookie now

function say(text) {
  if (words.textContent !== text) words.textContent = text;
}

/** Show in the page's head how things are, with a button that leads to the newest moment. */
function furnish() {
  note.className = "quiet";
  note.id = "live";
  note.style.flexBasis = "100%";
  note.style.margin = "0";
  note.style.fontSize = "0.85rem";
  words.setAttribute("role", "status");
  newest.type = "button";
  newest.className = "link";
  newest.textContent = "go to the newest moment";
  newest.addEventListener("click", () => window.townsfolk.go(Infinity));
  note.append(words, " ", newest);
  document.getElementById("top").append(note);
}

async function ask() {
  const answer = await fetch(`news?after=${after}&run=${run}&me=${me}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
}

/** Give packets to the page as one: it paints once for all of them. */
function take(packets) {
  if (!packets.length) return;
  const { news } = packets.at(-1);
  state = packets.at(-1).state;
  window.townsfolk.append({
    lines: packets.flatMap((packet) => packet.lines), thoughts: packets.flatMap((packet) => packet.thoughts), news, state,
  }, 0);
}

async function follow() {
  let pause = PAUSE;
  for (;;) {
    let told = null;
    try { told = await ask(); } catch { told = null; }
    if (told?.reload) { location.reload(); return; }
    if (told) {
      take(told.fresh);
      after = told.after;
      pause = told.more ? 0 : PAUSE;
      if (told.over) { say(`The run ${state === "done" ? "is over" : "was stopped"}, and nothing will follow: the page stays as it is.`); return; }
      say("Live: the page follows the run.");
    } else {
      pause = Math.min(LONGEST, Math.max(PAUSE, pause * 2));
      say("Nobody answers: the run was stopped, or its machine cannot be reached. What was logged until then stays here.");
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

function begin() {
  furnish();
  window.townsfolk.callSource = async (key) => {
    try {
      const answer = await fetch(`call?key=${encodeURIComponent(key)}`);
      return answer.ok ? await answer.json() : null;
    } catch { return { note: "Nobody answers any more, and this page does not hold the prompt: town view RUN makes one that does." }; }
  };
  if (!linked) window.townsfolk.go(Infinity);
  follow();
}

if (window.townsfolk?.ready) begin();
else document.addEventListener("townsfolk-ready", begin);
