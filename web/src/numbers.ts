// Numbers as texts: as the library writes them in reports, in schemes and in model files.

/** The digits of a number and the exponent of the first one. */
function digitsOf(x: number): { sign: string; digits: string; exponent: number } {
  const [mantissa, exponent] = Math.abs(x).toExponential().split("e");
  return { sign: x < 0 || Object.is(x, -0) ? "-" : "", digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

/** Without an exponent, however long that is: how schemes are written. */
export function plain(x: number): string {
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  const { sign, digits, exponent } = digitsOf(x);
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits + "0".repeat(exponent + 1 - digits.length);
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** As in a model file: whole numbers without a point, others in the fewest digits, with an exponent where they are very large or small. */
export function inModel(x: number): string {
  if (Number.isInteger(x) && Math.abs(x) < 1e15 && !Object.is(x, -0)) return String(x);
  if (!Number.isFinite(x)) return "0";
  const { sign, digits, exponent } = digitsOf(x);
  const places = exponent + 1;
  if (x !== 0 && (places <= -5 || places > 16)) {
    const tail = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${sign}${digits[0]}${tail}e${exponent}`;
  }
  const text = plain(x);
  return text.includes(".") ? text : `${text}.0`;
}

/** The shortest text that gives the same number back. */
export function exact(x: number): string {
  const value = x + 0;
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-5 && size < 1e15)) return plain(value);
  const { sign, digits, exponent } = digitsOf(value);
  return `${sign}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}e${exponent}`;
}

/** In this many significant digits, but with the whole part and one decimal at least. */
export function rounded(x: number, digits: number): string {
  const shortest = exact(x);
  if (!Number.isFinite(x)) return "–";
  if (shortest.length <= digits + 1) return shortest;
  const size = Math.abs(x);
  let text: string;
  let tail = "";
  if (size >= 1e-5 && size < 1e15) {
    text = x.toFixed(Math.min(Math.max(digits - 1 - Math.floor(Math.log10(size)), 1), 100));
  } else {
    [text, tail] = x.toExponential(Math.max(digits - 1, 0)).split("e");
    tail = `e${Number(tail)}`;
  }
  if (text.includes(".")) text = text.replace(/0+$/, "").replace(/\.$/, "");
  const found = text + tail;
  return found.length < shortest.length ? found : shortest;
}

/** In this many significant digits, but whole numbers whole, thousands apart; very large and very small ones with an exponent. */
export function brief(x: number, digits: number): string {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size >= 1e9 || (size > 0 && size < 1e-5)) {
    const [text, exponent] = x.toExponential(digits - 1).split("e");
    return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text}e${Number(exponent)}`;
  }
  if (size >= 10 ** (digits - 1)) return count(x);
  const text = plain(Number(x.toPrecision(digits)));
  return size >= 1000 ? text.replace(/\B(?=(\d{3})+(?!\d)(\.|$))/g, ",") : text;
}

const bits = new DataView(new ArrayBuffer(8));

/** The next smaller number. */
export function nextDown(x: number): number {
  if (x === 0) return -Number.MIN_VALUE;
  bits.setFloat64(0, x);
  bits.setBigInt64(0, bits.getBigInt64(0) + (x > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}

/** The number `v` for which `x < below` is better written `x ≤ v`, if there is one. */
export function atMost(below: number): number | null {
  const before = nextDown(below) + 0;
  return Number.isFinite(before) && exact(before).length < exact(below).length ? before : null;
}

/** The next larger number. */
export function nextUp(x: number): number {
  return -nextDown(-x);
}

/** Whether the number that a threshold is written as belongs to what is below it, and the number: nothing is rounded (as in the reports). */
export function thresholdText(below: number): [boolean, string] {
  const [own, after, before] = [exact(below), exact(nextUp(below)), atMost(below)];
  const shorter = before === null ? null : exact(before);
  if (shorter !== null && shorter.length <= after.length) return [true, shorter];
  if (Number.isFinite(nextUp(below)) && after.length + 4 < own.length) return [false, after];
  return shorter === null ? [false, own] : [true, shorter];
}

/** The number with the fewest digits from `low` up to, but not including, `high`. */
export function simplest(low: number, high: number): number {
  if (!(low < high) || !Number.isFinite(low)) return low;
  const end = Number.isFinite(high) ? high : low > 0 ? low * 1.5 : low + 1;
  if (low <= 0 && 0 < end) return 0;
  const size = Math.max(Math.abs(low), Math.abs(end));
  for (let exponent = Math.floor(Math.log10(size)); exponent > -330; exponent--) {
    const unit = `e${exponent}`;
    const whole = Math.floor(Number(`${low}`) / Number(`1${unit}`));
    for (let step = 0; step <= 2; step++) {
      const candidate = Number(`${whole + step}${unit}`);
      if (candidate >= low && candidate < end) return candidate;
    }
    if (Math.abs(whole) > 1e15) break;
  }
  return low;
}

export function count(n: number): string {
  return (Math.round(n) + 0).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** A weight: a count when it is whole. */
export function weight(x: number): string {
  return Number.isInteger(x) && Math.abs(x) < 1e15 ? count(x) : rounded(x, 4);
}

export function percent(share: number, digits = 1): string {
  const x = share * 100;
  if (!Number.isFinite(x)) return "–";
  if (x > 0 && x < 0.05) return "<0.1 %";
  return `${x.toFixed(digits).replace(/\.0+$/, "")} %`;
}

const DAY = 86400;

/** Seconds as a date, a date with a time, or a time of day. */
export function moment(x: number, kind: "date" | "date-time" | "time"): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  const day = Math.floor(x / DAY) * DAY;
  const second = x - day;
  const fraction = second % 1 === 0 ? "" : fractionOf(x);
  const seconds = second % 60 === 0 ? "" : `:${two(second % 60)}${fraction}`;
  const clock = `${two(second / 3600)}:${two((second / 60) % 60)}${seconds}`;
  if (kind === "time") return x >= 0 && x < DAY ? clock : exact(x);
  const date = new Date(day * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) return exact(x);
  const text = date.toISOString().slice(0, 10);
  return kind === "date" && second === 0 ? text : `${text} ${clock}`;
}

/** What comes after the whole seconds, in the fewest decimals that give the same number back. */
function fractionOf(x: number): string {
  const whole = Math.floor(x);
  for (let digits = 1; digits <= 24; digits++) {
    const text = (x - whole).toFixed(digits);
    if (text.startsWith("0.") && whole + Number(text) === x) return text.slice(1);
  }
  return "";
}

/** A number or, where the attribute has them, a date or time as people write it; NaN where it is neither. */
export function parsed(text: string, kind?: "date" | "date-time" | "time"): number {
  const trimmed = text.trim();
  if (trimmed === "") return NaN;
  if (kind) {
    const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/.exec(trimmed);
    if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
    const date = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?Z?$/.exec(trimmed);
    if (date) return Date.parse(`${date[1]}T00:00:00Z`) / 1000 + (date[2] ? parsed(date[2], "time") : 0);
  }
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : NaN;
}
