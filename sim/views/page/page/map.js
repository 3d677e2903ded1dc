// The map of one run: a canvas that can be moved, enlarged and pointed at.

const BUBBLE_S = 6; // seconds of the town for which words stand, at the least
const BUBBLE_REAL_S = 1.6; // seconds of the reader for which they do while time flies
const EASE = 9; // a second: how quickly figures take the places that a crowd gives them

class TownMap {
  /** `onPick` is told of the resident or place that was pointed at. */
  constructor(store, label, onPick) {
    this.store = store;
    this.scene = new Scene(store);
    this.onPick = onPick;
    this.canvas = element("canvas", {
      class: "map", tabindex: "0", role: "img",
      "aria-label": `${label}. The panel lists who is where. Arrow keys move the map, plus and minus enlarge and reduce it.`,
      onkeydown: (event) => this.key(event), onpointerdown: (event) => this.press(event), onpointermove: (event) => this.drag(event),
      onpointerup: (event) => this.release(event), onpointercancel: (event) => this.pointers.delete(event.pointerId),
      onpointerleave: () => { this.hovered = null; },
    });
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.holder = element("div", { class: "town" }, this.canvas, element("div", { class: "zoom" },
      button("+", () => this.zoom(1.35), { "aria-label": "Enlarge the map", title: "Enlarge" }),
      button("−", () => this.zoom(1 / 1.35), { "aria-label": "Reduce the map", title: "Reduce" }),
      button("⤢", () => this.fit(), { "aria-label": "Show the whole town", title: "Whole town" })));
    this.context = this.canvas.getContext("2d");
    this.under = document.createElement("canvas");
    this.over = document.createElement("canvas");
    this.pointers = new Map();
    this.cache = new Map();
    this.spoken = new Map();
    this.view = { width: 0, height: 0, scale: 1, x: 0, y: 0, text: 14, family: "sans-serif" };
    this.view.to = (x, y) => [(x - this.view.x) * this.view.scale + this.view.width / 2, (y - this.view.y) * this.view.scale + this.view.height / 2];
    this.painted = "";
    this.moved = false;
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  /** Fetch colors and the size of text from the style sheet again. */
  restyle() {
    this.colors = colorsOf(this.holder);
    this.view.text = parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.9;
    this.view.family = getComputedStyle(document.body).fontFamily;
    this.painted = "";
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2.5);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    app?.stir();
    Object.assign(this.view, { width, height, ratio });
    for (const canvas of [this.canvas, this.under, this.over]) { canvas.width = width * ratio; canvas.height = height * ratio; }
    this.restyle();
    if (!this.moved) this.fit();
  }

  fit() {
    const { bounds } = this.scene, view = this.view;
    view.scale = Math.max(4, Math.min(view.text * 9, (view.width - 24) / (bounds.w + 0.6), (view.height - 20) / (bounds.h + 1.6)));
    view.x = bounds.x;
    view.y = bounds.y - 0.25;
    this.moved = false;
    this.painted = "";
  }

  zoom(by, x = this.view.width / 2, y = this.view.height / 2) {
    const view = this.view, scale = Math.max(4, Math.min(400, view.scale * by));
    view.x += (x - view.width / 2) * (1 / view.scale - 1 / scale);
    view.y += (y - view.height / 2) * (1 / view.scale - 1 / scale);
    view.scale = scale;
    this.moved = true;
    this.painted = "";
  }

  shift(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
    this.moved = true;
    this.painted = "";
  }

  wheel(event) {
    event.preventDefault();
    const frame = this.canvas.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - frame.left, event.clientY - frame.top);
  }

  key(event) {
    const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey && steps[event.key]) return;
    if (steps[event.key]) this.shift(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.35);
    else if (event.key === "-") this.zoom(1 / 1.35);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, event);
    this.pressed = { x: event.clientX, y: event.clientY };
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId), frame = this.canvas.getBoundingClientRect();
    if (!before) { this.hovered = this.figureAt(event.clientX - frame.left, event.clientY - frame.top); return; }
    if (this.pointers.size === 2) {
      const other = [...this.pointers.values()].find((one) => one.pointerId !== event.pointerId);
      const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
      this.zoom(apart(event) / apart(before), (event.clientX + other.clientX) / 2 - frame.left, (event.clientY + other.clientY) / 2 - frame.top);
    } else if (this.dragging || Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > 5) {
      this.dragging = true;
      this.shift(event.clientX - before.clientX, event.clientY - before.clientY);
    } else return;
    this.pointers.set(event.pointerId, event);
  }

  release(event) {
    const frame = this.canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
    const alone = this.pointers.size === 1;
    this.pointers.delete(event.pointerId);
    if (this.dragging || !alone) { this.dragging = this.pointers.size > 0; return; }
    const figure = this.figureAt(x, y);
    if (figure) this.onPick({ who: figure.life.name });
    else if (this.placeAt(x, y)) this.onPick({ place: this.placeAt(x, y) });
  }

  figureAt(x, y) {
    let best = null, nearest = Infinity;
    for (const figure of this.scene.figures) {
      const far = Math.hypot(figure.px - x, figure.py - y);
      if (far <= Math.max(figure.pr + 3, 10) && far < nearest) { best = figure; nearest = far; }
    }
    return best;
  }

  placeAt(x, y) {
    for (const [place, box] of this.store.boxes) {
      const [left, top] = this.view.to(box.x - box.w / 2, box.y - box.h / 2);
      if (x >= left && y >= top - 16 && x <= left + box.w * this.view.scale && y <= top + box.h * this.view.scale) return place;
    }
    return null;
  }

  /** Paint the town at second `t`; `now` holds n, speed, playing, selected, known (by name), calm, real (seconds since the last). */
  paint(t, now) {
    const { context, view } = this;
    if (!view.width) return;
    this.scene.update(now.n);
    const dark = Math.round(darkness(this.store.hour(t)) * 24) / 24;
    this.paintStill(dark, t);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.under, 0, 0);
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    this.paintLamps(dark);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.over, 0, 0);
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    this.place(t, now);
    const taken = this.named.concat(this.scene.figures.map(({ px, py, pr }) => ({ x: px - pr, y: py - pr, w: pr * 2, h: pr * 2 })));
    for (const figure of this.inOrder(now)) {
      const marks = { selected: figure.life.name === now.selected, hovered: figure.life.name === this.hovered?.life.name, knows: now.known?.has(figure.life.name) };
      paintFigure(context, view, this.colors, figure, marks);
      this.label(figure, marks, taken);
    }
    this.paintThings(now.n, taken);
    this.paintWords(t, now);
  }

  /** Paint what changes only with the view, the light and the state of places, once. */
  paintStill(dark, t) {
    const { view, colors } = this, states = new Map([...this.store.boxes.keys()].map((place) => [place, this.store.stateOf(place, t)]));
    const key = [view.width, view.height, view.scale, view.x, view.y, dark, this.store.version, ...states.values()].join(" ");
    if (key === this.painted) return;
    this.painted = key;
    const under = this.under.getContext("2d"), over = this.over.getContext("2d");
    under.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    paintTown(under, view, colors, this.store, states);
    under.fillStyle = colors.night;
    under.globalAlpha = dark * 0.42;
    under.fillRect(0, 0, view.width, view.height);
    under.globalAlpha = 1;
    over.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    over.clearRect(0, 0, view.width, view.height);
    this.named = [];
    paintNames(over, view, colors, this.store, this.named, this.cache, states);
    this.named.splice(0, this.store.boxes.size); // people's names may stand in places, but not on their names
  }

  /** Light the rooms in which somebody is awake in the dark. */
  paintLamps(dark) {
    if (dark < 0.1) return;
    this.context.fillStyle = this.colors.lamp;
    this.context.globalAlpha = dark * 0.55;
    for (const standing of this.scene.spots.values()) {
      const { where } = standing[0];
      if (where.kind !== "spot" || standing.every((figure) => figure.asleep)) continue;
      const cell = this.scene.cellOf(where.place, where.room), [x, y] = this.view.to(cell.x, cell.y), { scale } = this.view;
      roundBox(this.context, x + 2, y + 2, cell.w * scale - 4, cell.h * scale - 4, scale * 0.06);
      this.context.fill();
    }
    this.context.globalAlpha = 1;
  }

  /** Move each figure to where it belongs, gently where only a crowd makes room. */
  place(t, now) {
    const easing = now.calm || this.lastT === undefined || Math.abs(t - this.lastT) > Math.max(120, now.speed) ? 1 : 1 - Math.exp(-EASE * now.real);
    this.lastT = t;
    this.stood ??= new Map();
    for (const figure of this.scene.figures) {
      const goal = this.scene.position(figure, t), last = this.stood.get(figure.life.name);
      const at = last ?? { x: goal.x, y: goal.y, r: figure.r };
      at.x += (goal.x - at.x) * easing;
      at.y += (goal.y - at.y) * easing;
      at.r += (figure.r - at.r) * easing;
      this.stood.set(figure.life.name, at);
      [figure.px, figure.py] = this.view.to(at.x, at.y);
      figure.pr = Math.max(3, at.r * this.view.scale);
    }
  }

  /** Return the figures so that the chosen one lies on top. */
  inOrder(now) {
    const rank = (figure) => (figure.life.name === now.selected ? 2 : figure.life.name === this.hovered?.life.name ? 1 : 0);
    return [...this.scene.figures].sort((a, b) => rank(a) - rank(b));
  }

  /** Write a figure's name below it, and what it does where there is room. */
  label(figure, marks, taken) {
    const chosen = marks.selected || marks.hovered, { view, context, colors } = this;
    if (!chosen && (figure.pr < 7 || figure.crowd > 9)) return;
    const size = Math.max(10, Math.min(view.text * 0.82, figure.pr * 0.95)), first = brief(figure.life.name, 60).split(" ")[0];
    context.font = `${chosen ? 700 : 500} ${size}px ${view.family}`;
    context.textAlign = "center";
    context.textBaseline = "top";
    const name = chosen ? brief(figure.life.name, 40) : brief(first, 14), width = context.measureText(name).width;
    const area = { x: figure.px - width / 2, y: figure.py + figure.pr + 1, w: width, h: size };
    if (!chosen && !free(area, taken)) return;
    taken.push(area);
    const inside = (wide) => Math.max(wide / 2 + 4, Math.min(view.width - wide / 2 - 4, figure.px)); // never cut by the map's edge
    haloed(context, name, inside(width), area.y, colors.ink, colors.halo);
    if (!figure.doing || (!chosen && (view.scale < 62 || figure.crowd > 1 || figure.asleep))) return;
    context.font = `${size * 0.9}px ${view.family}`;
    const act = wrapped(context, brief(figure.doing, 80), chosen ? 240 : view.scale * 1.15, 2, this.cache);
    const wide = Math.max(...act.map((line) => context.measureText(line).width));
    const under = { x: inside(wide) - wide / 2, y: area.y + size * 1.1, w: wide, h: size * act.length };
    if ((!chosen || figure.crowd > 1) && !free(under, taken)) return;
    taken.push(under);
    act.forEach((line, i) => haloed(context, line, inside(context.measureText(line).width), area.y + size * (1.1 + i), colors.ink, colors.halo));
  }

  /** Name the things whose state is not the usual one, in the place where they stand, where no other words are. */
  paintThings(n, taken) {
    const { view, context, colors } = this;
    if (view.scale < 26) return;
    const size = Math.max(9.5, Math.min(view.text * 0.75, view.scale * 0.2));
    context.font = `italic ${size}px ${view.family}`;
    context.textAlign = "left";
    context.textBaseline = "bottom";
    for (const [spot] of this.store.things) {
      const cell = this.scene.cells.get(spot), changed = cell ? changedThings(this.store, spot, n) : [];
      changed.slice(0, 3).forEach(([thing, state], i) => {
        const [x, bottom] = view.to(cell.x + 0.08, cell.y + cell.h - 0.05), y = bottom - i * size * 1.15;
        const words = fitted(context, `◆ ${thing}: ${state}`, (cell.w - 0.12) * view.scale);
        const area = { x, y: y - size, w: context.measureText(words).width, h: size };
        if (!free(area, taken)) return;
        taken.push(area);
        haloed(context, words, x, y, colors.thing, colors.halo);
      });
    }
  }

  /** Show what is being said, the chosen resident's words first and no words over others. */
  paintWords(t, now) {
    const stands = Math.max(BUBBLE_S, BUBBLE_REAL_S * (now.playing ? now.speed : 0)), saying = [];
    for (const figure of this.scene.figures) {
      const talk = figure.talk ?? this.justSpoke(figure.life, now.n, t, stands);
      const words = talk ? lastUntil(talk.said, now.n) : undefined;
      const still = words && (talk.end === null || talk.end.n > now.n || t - words.t <= stands);
      if (still && words.who === figure.life.name) saying.push([figure, words]);
    }
    const rank = ([figure, words]) => (figure.life.name === now.selected || figure === this.hovered ? 1e9 : 0) + words.n;
    const people = this.scene.figures.map(({ px, py, pr }) => ({ x: px - pr, y: py - pr, w: pr * 2, h: pr * 2 }));
    const taken = [], most = Math.max(2, Math.min(14, Math.floor(this.view.width * this.view.height / 55000)));
    let shown = 0;
    for (const [figure, words] of saying.sort((a, b) => rank(b) - rank(a))) {
      if (shown >= most) break;
      const cell = this.scene.cellOf(figure.where.place, figure.where.room), [, top] = this.view.to(0, cell.y), [, bottom] = this.view.to(0, cell.y + cell.h);
      shown += paintBubble(this.context, this.view, this.colors, figure, words.text, { top, bottom }, taken, people, this.cache);
    }
  }

  justSpoke(life, n, t, stands) {
    const talk = lastUntil(life.talks, n);
    return talk?.end && t - talk.end.t <= stands ? talk : undefined;
  }
}
