// The time of the page: what plays, how fast, and the strip below the map on which it can be moved.

const SPEEDS = [[1, "real time"], [10, "10 s/s"], [60, "1 min/s"], [300, "5 min/s"], [900, "15 min/s"], [1800, "30 min/s"], [3600, "1 h/s"]];
const NIGHTS = 8; // times faster while everyone sleeps
const JUMPS = [["talk", "talk"], ["reflection", "reflection"], ["event", "scenario event"], ["act", "act of the chosen resident"], ["news", "step of the news"], ["difference", "first difference"]];

class Player {
  constructor(ends) {
    this.t = 0;
    this.ends = ends;
    this.playing = false;
    this.speed = 300;
    this.quick = true;
  }

  /** Let `real` seconds of the reader's time pass. */
  pass(real, allAsleep) {
    if (!this.playing) return;
    this.t = Math.min(this.ends, this.t + Math.min(real, 0.6) * this.speed * (allAsleep && this.quick && this.speed > 1 ? NIGHTS : 1));
    if (this.t >= this.ends) { this.playing = false; app.controls.show(); app.announce("The end"); }
  }
}

/** Return the seconds to which one can jump, in order. */
function landmarks(kind) {
  const times = [];
  if (kind === "difference") return app.data.parting?.t !== null && app.data.parting ? [app.data.parting.t] : [];
  if (kind === "news") return (app.news()?.bearers ?? []).map((bearer) => bearer.t);
  for (const store of kind === "act" ? [app.store] : STORES) {
    if (kind === "talk") times.push(...store.talks.map((talk) => talk.t));
    else if (kind === "reflection") times.push(...store.reflections.map((one) => one.t));
    else if (kind === "event") times.push(...store.happenings.map((one) => one.t));
    else if (kind === "act") times.push(...(store.lives.get(app.selected)?.acts ?? store.acts).map((one) => one.t));
  }
  return STORES.length > 1 ? times.sort((a, b) => a - b) : times;
}

class Controls {
  constructor(player) {
    this.player = player;
    this.play = button("▶", () => app.toggle(), { class: "main", "aria-label": "Play", title: "Play or pause (space)" });
    this.speed = element("select", { "aria-label": "Speed", title: "Speed (< and >)", onchange: () => { player.speed = Number(this.speed.value); } },
      SPEEDS.map(([value, label]) => element("option", { value, text: label })));
    this.kind = element("select", { "aria-label": "What to jump to", onchange: () => this.show() },
      JUMPS.filter(([kind]) => kind !== "difference" || STORES.length > 1).map(([kind, label]) => element("option", { value: kind, text: label })));
    this.quick = element("input", { type: "checkbox", checked: true, onchange: () => { player.quick = this.quick.checked; } });
    fill(document.getElementById("buttons"),
      element("div", { class: "group" }, this.play, this.speed),
      element("div", { class: "group" },
        button("◀", () => this.jump(-1), { "aria-label": "Jump to the one before", title: "Before" }), this.kind,
        button("▶", () => this.jump(1), { "aria-label": "Jump to the next", title: "Next" })),
      element("label", { class: "group check" }, this.quick, "quick nights"),
      element("div", { class: "group key", "aria-hidden": "true" },
        element("span", { class: "mark talk", text: "▮ talk" }), element("span", { class: "mark reflection", text: "◆ reflection" }),
        element("span", { class: "mark event", text: "▲ event" }), STORES.length > 1 ? element("span", { class: "mark parted", text: "✕ first difference" }) : null));
    this.scrub = document.getElementById("scrub");
    this.scrub.addEventListener("input", () => app.go(Number(this.scrub.value)));
    this.marks = document.getElementById("marks");
    new ResizeObserver(() => this.paint()).observe(this.marks);
    this.show();
  }

  jump(direction, kind = this.kind.value) {
    const times = landmarks(kind), now = Math.floor(this.player.t);
    const found = direction > 0 ? times[firstLater(times, (t) => t > now)] : times[firstLater(times, (t) => t >= now) - 1];
    if (found === undefined) app.announce(`No ${direction > 0 ? "later" : "earlier"} ${JUMPS.find(([name]) => name === kind)[1]}`);
    else app.go(found, true);
  }

  /** Bring buttons and strip up to date. */
  show() {
    const { player } = this;
    this.play.textContent = player.playing ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    this.speed.value = String(player.speed);
    if (Number(this.scrub.max) !== player.ends) { this.scrub.max = player.ends; this.scrub.step = 1; this.paint(); }
    this.move();
  }

  move() {
    const t = Math.floor(this.player.t);
    if (document.activeElement !== this.scrub || Number(this.scrub.value) !== t) this.scrub.value = t;
    const words = app.store.stamp(t);
    if (this.scrub.getAttribute("aria-valuetext") !== words) this.scrub.setAttribute("aria-valuetext", words);
  }

  /** Paint days, nights and marks below the slider. */
  paint() {
    const canvas = this.marks, width = canvas.clientWidth, height = canvas.clientHeight, ends = Math.max(1, this.player.ends);
    if (!width || !height) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 2.5), context = canvas.getContext("2d"), style = getComputedStyle(canvas);
    const color = (name) => style.getPropertyValue(`--${name}`).trim();
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const inset = 8, x = (t) => inset + (width - 2 * inset) * t / ends, store = STORES[0];
    for (let i = inset; i < width - inset; i++) {
      context.fillStyle = color("strip-night");
      context.globalAlpha = darkness(store.hour((i - inset) / (width - 2 * inset) * ends)) * 0.8;
      context.fillRect(i, 0, 1, height);
    }
    context.globalAlpha = 1;
    this.paintTalks(context, x, width, height, color("talk"));
    const size = Math.max(3, height * 0.09);
    context.fillStyle = color("reflection");
    for (const one of STORES.flatMap((each) => each.reflections)) polygon(context, x(one.t), height * 0.59, size, [[0, -1], [1, 0], [0, 1], [-1, 0]]);
    context.fillStyle = color("event");
    for (const one of STORES.flatMap((each) => each.happenings)) polygon(context, x(one.t), height * 0.39, size * 1.15, [[0, -1], [1, 1], [-1, 1]]);
    this.paintDays(context, x, width, height, color);
    const parted = app.data.parting?.t;
    if (typeof parted === "number") {
      context.fillStyle = color("parted");
      context.fillRect(x(parted) - 1, 0, 2, height);
      context.font = `700 ${height * 0.3}px sans-serif`;
      context.textAlign = "left";
      context.fillText("✕", x(parted) + 3, height * 0.3);
    }
  }

  /** Paint how many talks begin in each stretch of time, as columns. */
  paintTalks(context, x, width, height, color) {
    const columns = new Array(Math.ceil(width / 3) + 1).fill(0);
    for (const store of STORES) for (const talk of store.talks) columns[Math.floor(x(talk.t) / 3)]++;
    const most = Math.max(1, ...columns);
    context.fillStyle = color;
    columns.forEach((count, i) => { if (count) context.fillRect(i * 3, height - (0.07 + 0.21 * count / most) * height, 2.2, (0.07 + 0.21 * count / most) * height); });
  }

  paintDays(context, x, width, height, color) {
    const store = STORES[0], first = Math.ceil(store.hour(0) ? (24 - store.hour(0)) * 3600 : 0);
    context.fillStyle = color("faint");
    context.font = `${Math.max(10, height * 0.24)}px sans-serif`;
    context.textBaseline = "top";
    context.textAlign = "left";
    const days = Math.max(1, Math.ceil(this.player.ends / 86400 / Math.max(1, width / 90)));
    context.fillText(store.stamp(0).slice(0, -6), x(0) + 3, 1);
    for (let t = first, i = 0; t < this.player.ends; t += 86400, i++) {
      context.fillRect(x(t), 0, 1, height);
      if (i % days === 0 && width - x(t) > 70 && x(t) - x(0) > 80) context.fillText(store.stamp(t).slice(0, -6), x(t) + 4, 1);
    }
  }
}

function polygon(context, x, y, size, points) {
  context.beginPath();
  for (const [dx, dy] of points) context.lineTo(x + dx * size, y + dy * size);
  context.closePath();
  context.fill();
}

const KEYS = [
  ["Space", "play or pause", () => app.toggle()],
  ["←", "a minute back; with Shift an hour", (event) => app.go(app.player.t - (event.shiftKey ? 3600 : 60), true), "ArrowLeft"],
  ["→", "a minute on; with Shift an hour", (event) => app.go(app.player.t + (event.shiftKey ? 3600 : 60), true), "ArrowRight"],
  ["<", "slower", () => app.faster(-1)],
  [">", "faster", () => app.faster(1)],
  ["t", "next talk; with Shift the one before", (event) => app.controls.jump(event.shiftKey ? -1 : 1, "talk")],
  ["r", "next reflection; with Shift the one before", (event) => app.controls.jump(event.shiftKey ? -1 : 1, "reflection")],
  ["e", "next scenario event; with Shift the one before", (event) => app.controls.jump(event.shiftKey ? -1 : 1, "event")],
  ["a", "next act of the chosen resident; with Shift the one before", (event) => app.controls.jump(event.shiftKey ? -1 : 1, "act")],
  ["d", "first difference of two runs", () => STORES.length > 1 && app.controls.jump(landmarks("difference")[0] > app.player.t ? 1 : -1, "difference")],
  ["w", "why the chosen resident did the last act", () => app.why()],
  ["/", "search", () => app.open({ view: "search" })],
  ["?", "these keys", () => app.open({ view: "help" })],
  ["Escape", "back", () => app.back()],
];

/** Do what a key stands for, unless it is meant for a field. */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest?.("input, select, textarea"), scrubs = event.target.id === "scrub";
  if (field && !scrubs && event.key !== "Escape") return;
  const key = event.key === " " ? "Space" : event.key;
  if (key === "Space" && event.target.closest?.("button, summary, a")) return; // it presses what has the focus
  if (event.key.startsWith("Arrow") && event.target.closest?.("[role=tablist]")) return;
  const found = KEYS.find(([name, , , code]) => (code ?? name) === key || name === key.toLowerCase());
  if (!found) return;
  event.preventDefault();
  found[2](event);
}
