// Where everyone is drawn at a moment: figures at their spots and on their ways, in the map's own measure, the cell.

const ROOMY = 0.27; // radius of a figure that has room
const HEAD = 0.24; // of a cell's height is kept for its name

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
    for (const standing of this.spots.values()) this.arrange(standing);
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

  /** Give those at one spot their places, row by row. */
  arrange(standing) {
    const { where } = standing[0], cell = this.cellOf(where.place, where.room);
    const head = cell.room ? HEAD : 0.06;
    const room = where.kind === "door" ? { x: cell.x, y: cell.y + cell.h, w: cell.w, h: 0.6 } : { x: cell.x, y: cell.y + cell.h * head, w: cell.w, h: cell.h * (1 - head) };
    const columns = Math.max(1, Math.min(standing.length, Math.round(Math.sqrt(standing.length * room.w / room.h)) || 1));
    const rows = Math.ceil(standing.length / columns);
    const radius = Math.min(ROOMY, 0.4 * Math.min(room.w / columns, room.h / rows));
    standing.forEach((figure, i) => {
      const row = Math.floor(i / columns), inRow = Math.min(columns, standing.length - row * columns);
      figure.x = room.x + room.w * ((i % columns) + 0.5) / inRow;
      figure.y = room.y + room.h * (row + (standing.length > 2 ? 0.42 : 0.38)) / rows;
      figure.r = radius;
      figure.crowd = standing.length;
    });
  }

  cellOf(place, room) {
    return this.cells.get(spotOf(place, room)) ?? this.cells.get(spotOf(place, null)) ??
      { x: this.bounds.x - 0.5, y: this.bounds.y + this.bounds.h / 2 + 0.5, w: 1, h: 1 };
  }

  /** Return where a figure is at second `t`: on its way it is somewhere between two spots. */
  position(figure, t) {
    if (figure.where.kind !== "way") return figure;
    const { left, arrives } = figure.where;
    const along = arrives > left ? Math.max(0, Math.min(1, (t - left) / (arrives - left))) : 1;
    return pointAlong(this.way(figure), along);
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
}

/** Return the point at a share of a way, a list of points. */
function pointAlong(way, share) {
  const lengths = way.slice(1).map((point, i) => Math.hypot(point[0] - way[i][0], point[1] - way[i][1]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (let i = 0; i < lengths.length; i++) {
    if (left <= lengths[i] && lengths[i] > 0) {
      const part = left / lengths[i];
      return { x: way[i][0] + (way[i + 1][0] - way[i][0]) * part, y: way[i][1] + (way[i + 1][1] - way[i][1]) * part };
    }
    left -= lengths[i];
  }
  return { x: way[way.length - 1][0], y: way[way.length - 1][1] };
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
