// Where everyone is drawn at a moment: figures at their spots and on their ways, in the map's own measure, the cell.

const ROOMY = 0.27; // radius of a figure that has room
const HEAD = 0.24; // of a cell's height is kept for its name
const LANES = 5; // people who walk abreast; further ones walk behind them
const LANE = 0.46, ROW = 0.6; // cells between two lanes, and between two rows
const OUT = 0.8; // cells within which who sets out leaves the seat for the lane
const STRIDE = 0.19; // radius of a figure on its way
const HELD_S = 20; // seconds for which others leave the seat of who has just set out

/** Return two letters by which each resident can be told from the others, by name. */
function initialsOf(names) {
  const taken = new Set(), found = new Map();
  for (const name of names) {
    const words = plain(name).split(" ").filter(Boolean).map((word) => Array.from(word));
    const first = words[0] ?? ["?"], last = words[words.length - 1] ?? first;
    const tries = words.length > 1 ? [first[0] + last[0]] : [];
    tries.push(...first.slice(1).map((letter) => first[0] + letter), ...last.slice(1).map((letter) => first[0] + letter));
    for (let number = 2; number < 1000; number++) tries.push(first[0] + number);
    const initials = tries.find((one) => !taken.has(one.toUpperCase())) ?? "?";
    taken.add(initials.toUpperCase());
    found.set(name, initials.length > 1 ? initials[0].toUpperCase() + initials.slice(1) : initials.toUpperCase());
  }
  return found;
}

class Scene {
  constructor(store) {
    this.store = store;
    this.known = -1;
    this.figures = [];
    this.spots = new Map();
    this.seats = new Map(); // where a way began, by resident and event: it stays so
    this.cells = new Map();
    for (const [place, box] of store.boxes) {
      for (const [room, x, y, w, h] of box.cells) {
        this.cells.set(spotOf(place, room), { x: box.x - box.w / 2 + x, y: box.y - box.h / 2 + y, w, h, place, room });
      }
    }
    this.bounds = boundsOf([...store.boxes.values()]);
  }

  /** Find out where everyone is after event `n`; nothing is done where that is known. */
  update(n) {
    if (n === this.known && this.counted === this.store.version) return;
    if (this.counted !== this.store.version) this.initials = initialsOf(this.store.lives.keys());
    this.known = n;
    this.counted = this.store.version;
    this.spots = new Map();
    this.figures = [...this.store.lives.values()].map((life) => this.figure(life, n));
    this.arrange(lastUntil(this.store.events, n)?.t ?? 0);
    this.line();
  }

  figure(life, n) {
    const where = whereabouts(life, n), talk = talkOf(life, n);
    const figure = {
      life, where, talk, asleep: isAsleep(life, n), doing: doing(life, n), signs: signsOf(life, n), initials: this.initials.get(life.name),
      says: talk ? lastUntil(talk.said, n) : undefined, x: 0, y: 0, r: ROOMY, crowd: 1,
    };
    if (figure.says?.who !== life.name) figure.says = undefined;
    if (where.kind !== "way") {
      const spot = (where.kind === "door" ? "door\n" : "") + spotOf(where.place, where.room);
      if (!this.spots.has(spot)) this.spots.set(spot, []);
      this.spots.get(spot).push(figure);
    }
    return figure;
  }

  /** Give those at each spot their places, row by row, at second `t`. */
  arrange(t) {
    const seated = new Map();
    for (const figure of this.figures) {
      const { where } = figure, held = where.kind === "way" && t < where.left + HELD_S;
      const spot = where.kind === "way" ? (held ? spotOf(where.from, where.fromRoom) : null) : (where.kind === "door" ? "door\n" : "") + spotOf(where.place, where.room);
      if (spot !== null) seated.set(spot, [...(seated.get(spot) ?? []), figure]);
    }
    for (const all of seated.values()) {
      all.forEach((figure, i) => {
        const { where } = figure, walks = where.kind === "way";
        const seat = this.seat(walks ? { kind: "spot", place: where.from, room: where.fromRoom } : where, i, all.length);
        Object.assign(figure, walks ? { start: [seat.x, seat.y] } : { ...seat, crowd: all.length });
      });
    }
  }

  /** Return the place and the radius of the `i`th of `count` at one spot. */
  seat(where, i, count) {
    const cell = this.cellOf(where.place, where.room), head = cell.room ? HEAD : 0.06;
    const room = where.kind === "door" ? { x: cell.x, y: cell.y + cell.h, w: cell.w, h: 0.6 } : { x: cell.x, y: cell.y + cell.h * head, w: cell.w, h: cell.h * (1 - head) };
    const columns = Math.max(1, Math.min(count, Math.round(Math.sqrt(count * room.w / room.h)) || 1)), rows = Math.ceil(count / columns);
    const row = Math.floor(i / columns), inRow = Math.min(columns, count - row * columns);
    return {
      x: room.x + room.w * ((i % columns) + 0.5) / inRow, y: room.y + room.h * (row + (count > 2 ? 0.42 : 0.38)) / rows,
      r: Math.min(ROOMY, 0.4 * Math.min(room.w / columns, room.h / rows)),
    };
  }

  /** Give those on their way lanes and rows, in the order in which they left, so that those with a stretch in common do not cover each other. */
  line() {
    const walking = this.figures.filter((figure) => figure.where.kind === "way").sort((a, b) => a.where.n - b.where.n);
    const taken = new Map(); // by stretch: the numbers of those who walk along it
    for (const figure of walking) {
      const stretches = this.stretches(figure), held = new Set(stretches.flatMap((one) => taken.get(one) ?? []));
      let number = 0;
      while (held.has(number)) number++;
      for (const one of stretches) taken.set(one, [...(taken.get(one) ?? []), number]);
      const abreast = number % LANES;
      figure.lane = (abreast % 2 ? 1 : -1) * Math.ceil(abreast / 2);
      figure.row = Math.floor(number / LANES);
      figure.r = STRIDE;
    }
  }

  /** Return what two ways have in common if figures on them may meet: a stretch between two places, or an end. */
  stretches(figure) {
    const { from, to } = figure.where, route = this.store.route(from, to);
    return [from, to, ...route.slice(1).map((place, i) => [place, route[i]].sort().join("\n"))];
  }

  cellOf(place, room) {
    return this.cells.get(spotOf(place, room)) ?? this.cells.get(spotOf(place, null)) ??
      { x: this.bounds.x - 0.5, y: this.bounds.y + this.bounds.h / 2 + 0.5, w: 1, h: 1 };
  }

  /** Return where a figure is at second `t`: on its way it is somewhere between its seat and the place it goes to. */
  position(figure, t) {
    if (figure.where.kind !== "way") return figure;
    const { left, arrives } = figure.where, way = this.way(figure), whole = lengthOf(way);
    const along = arrives > left ? Math.max(0, Math.min(1, (t - left) / (arrives - left))) : 1;
    const gone = Math.max(0, along * whole - figure.row * ROW), { x, y, dx, dy } = pointAlong(way, gone);
    const seat = figure.start ?? this.seatLeft(figure), out = Math.min(1, whole > 0 ? gone / OUT : along); // bit by bit out of the seat
    return { x: x - dy * figure.lane * LANE * out + (seat[0] - way[0][0]) * (1 - out), y: y + dx * figure.lane * LANE * out + (seat[1] - way[0][1]) * (1 - out) };
  }

  way(figure) {
    if (figure.way) return figure.way;
    const { from, fromRoom, to } = figure.where;
    const middle = (cell) => [cell.x + cell.w / 2, cell.y + cell.h * 0.62];
    const between = this.store.route(from, to).slice(1, -1);
    const points = between.map((place) => this.store.boxes.get(place)).filter(Boolean).map((box) => [box.x, box.y]);
    figure.way = [middle(this.cellOf(from, fromRoom)), ...points, middle(this.cellOf(to, null))];
    return figure.way;
  }

  /** Return where somebody stood or sat just before they set out. */
  seatLeft({ life, where }) {
    const key = `${where.n} ${life.name}`;
    if (!this.seats.has(key)) {
      const last = whereabouts(life, where.n - 1), spot = last.kind === "spot" ? last : { kind: "spot", place: where.from, room: where.fromRoom };
      const there = [...this.store.lives.values()].filter((other) => other === life || sameSpot(whereabouts(other, where.n - 1), spot));
      const seat = this.seat(spot, there.indexOf(life), there.length);
      this.seats.set(key, [seat.x, seat.y]);
    }
    return this.seats.get(key);
  }
}

/** Return the length of a way, a list of points. */
function lengthOf(way) {
  return way.slice(1).reduce((sum, point, i) => sum + Math.hypot(point[0] - way[i][0], point[1] - way[i][1]), 0);
}

/** Return the point so far along a way, a list of points, and the direction of the way there. */
function pointAlong(way, gone) {
  let left = gone, found = { x: way[0][0], y: way[0][1], dx: 0, dy: 0 };
  for (let i = 1; i < way.length; i++) {
    const [[x, y], [toX, toY]] = [way[i - 1], way[i]], length = Math.hypot(toX - x, toY - y);
    if (!length) continue;
    const dx = (toX - x) / length, dy = (toY - y) / length, part = Math.min(left, length);
    found = { x: x + dx * part, y: y + dy * part, dx, dy };
    left -= length;
    if (left <= 0) break;
  }
  return found;
}

/** Return the middle and the size of all boxes together. */
function boundsOf(boxes) {
  if (!boxes.length) return { x: 0, y: 0, w: 4, h: 4 };
  const left = Math.min(...boxes.map((box) => box.x - box.w / 2)), right = Math.max(...boxes.map((box) => box.x + box.w / 2));
  const top = Math.min(...boxes.map((box) => box.y - box.h / 2)), bottom = Math.max(...boxes.map((box) => box.y + box.h / 2));
  return { x: (left + right) / 2, y: (top + bottom) / 2, w: right - left, h: bottom - top };
}

/** Return how dark it is at an hour of the day, from 0 (day) to 1 (night). */
function darkness(hour) {
  if (hour >= 7.5 && hour <= 17.5) return 0;
  if (hour > 17.5 && hour < 21) return (hour - 17.5) / 3.5;
  if (hour > 5 && hour < 7.5) return (7.5 - hour) / 2.5;
  return 1;
}

/** Return what people call an hour of the day, and a sign for it. */
function dayPart(hour) {
  if (hour >= 21 || hour < 5) return ["☾", "night"];
  if (hour < 7.5) return ["☼", "dawn"];
  if (hour < 12) return ["☀", "morning"];
  return hour < 17.5 ? ["☀", "afternoon"] : ["☼", "evening"];
}
