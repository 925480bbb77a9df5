// Reads the opcode trace of a node while it arrives: bytes of JSON to columns, without the JSON as a whole.

/** Code units of JSON. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MAX_TEXT_LENGTH = 64;
const FIRST_CAPACITY = 1 << 14;

/** The steps as the node names them; `name` is an index in `names`. */
export class StructLogScanner {
  length = 0;
  pc = new Uint32Array(FIRST_CAPACITY);
  gas = new Float64Array(FIRST_CAPACITY);
  depth = new Uint16Array(FIRST_CAPACITY);
  name = new Uint8Array(FIRST_CAPACITY);
  readonly names: string[] = [];
  /** Open brackets. */
  #level = 0;
  /** Level of the elements of `structLogs`; -1 before it was found. */
  #listLevel = -1;
  #isInText = false;
  #isEscaped = false;
  /** The text or number that is being read. */
  #text = '';
  /** The last text, which is a key if a colon follows. */
  #key = '';
  #fields = new Map<string, string>();

  feed(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInText) this.#readText(byte);
      else if (byte === QUOTE) this.#startText();
      else if (byte === COLON) this.#startValue();
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#close(byte);
      else if (byte === COMMA) this.#endValue();
      else if (byte > 0x20 && this.#text.length < MAX_TEXT_LENGTH) this.#text += String.fromCharCode(byte);
    }
  }

  #readText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInText = false;
      return;
    }
    // Words of the stack and of memory are of no use here.
    if (this.#level <= this.#stepLevel && this.#text.length < MAX_TEXT_LENGTH) this.#text += String.fromCharCode(byte);
  }

  get #stepLevel(): number {
    return this.#listLevel === -1 ? Number.POSITIVE_INFINITY : this.#listLevel + 1;
  }

  #startText(): void {
    this.#isInText = true;
    this.#text = '';
  }

  #startValue(): void {
    this.#key = this.#text;
    this.#text = '';
  }

  #open(byte: number): void {
    this.#level++;
    if (byte === OPEN_ARRAY && this.#listLevel === -1 && this.#key === 'structLogs') this.#listLevel = this.#level;
    else if (byte === OPEN_OBJECT && this.#level === this.#stepLevel) this.#fields.clear();
    this.#text = '';
  }

  #close(byte: number): void {
    this.#endValue();
    if (byte === CLOSE_OBJECT && this.#level === this.#stepLevel) this.#addStep();
    this.#level--;
    // After the list nothing is read as a step any more.
    if (this.#level < this.#listLevel) this.#listLevel = Number.MAX_SAFE_INTEGER;
  }

  #endValue(): void {
    if (this.#level === this.#stepLevel) this.#fields.set(this.#key, this.#text);
    this.#text = '';
  }

  #addStep(): void {
    if (this.length === this.pc.length) this.#grow();
    const name = this.#fields.get('op') ?? '';
    let index = this.names.indexOf(name);
    if (index === -1) index = this.names.push(name) - 1;
    this.pc[this.length] = Number(this.#fields.get('pc'));
    this.gas[this.length] = Number(this.#fields.get('gas'));
    this.depth[this.length] = Number(this.#fields.get('depth'));
    this.name[this.length] = index;
    this.length++;
  }

  #grow(): void {
    const capacity = 2 * this.pc.length;
    const { pc, gas, depth, name } = this;
    this.pc = new Uint32Array(capacity);
    this.gas = new Float64Array(capacity);
    this.depth = new Uint16Array(capacity);
    this.name = new Uint8Array(capacity);
    this.pc.set(pc);
    this.gas.set(gas);
    this.depth.set(depth);
    this.name.set(name);
  }
}
