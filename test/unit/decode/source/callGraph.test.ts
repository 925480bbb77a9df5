import { expect, test } from 'vitest';
import { CallGraph } from '../../../../src/decode/source/callGraph.ts';
import type { SourceFunction } from '../../../../src/decode/source/solidityOutline.ts';
import { createSourceText } from '../../../support/source/sourceText.ts';

function createGraph(source: string, main: string) {
  const text = createSourceText(source);
  const contract = text.outline.contracts.find(({ name }) => name === main);
  if (contract === undefined) throw new Error(`no contract ${main}`);
  const graph = new CallGraph(contract, [text]);
  const nameOf = ({ contract: of, name }: SourceFunction) => `${of?.name ?? ''}.${name}`;
  const find = (name: string) => text.outline.functions.find(each => nameOf(each) === name) as SourceFunction;
  return {
    graph,
    callees: (name: string) => graph.edges(find(name)).map(({ target }) => nameOf(target)),
    ways: (from: string, to: string) =>
      graph.paths(find(from), find(to)).map(way => way.map(({ target }) => nameOf(target)).join(' ')),
  };
}

const INHERITANCE = `
  contract A { function f() public virtual { h(); } function h() internal virtual {} }
  contract B is A { function f() public virtual override { super.f(); } }
  contract C is A { function f() public virtual override { super.f(); } function h() internal override {} }
  contract D is B, C { function f() public override(B, C) { super.f(); B.f(); } }`;

test('linearizes bases as Solidity does, and follows super and overrides along it', () => {
  const { graph, callees } = createGraph(INHERITANCE, 'D');
  expect(graph.linearized.map(({ name }) => name)).toEqual(['D', 'C', 'B', 'A']);
  expect(callees('D.f')).toEqual(['C.f', 'B.f']);
  expect(callees('C.f')).toEqual(['B.f']);
  expect(callees('B.f')).toEqual(['A.f']);
  expect(callees('A.f')).toEqual(['C.h']);
});

test('finds functions of libraries, free functions, overloads, modifiers and base constructors', () => {
  const { callees } = createGraph(
    `library L { function get(uint a) internal { own(); } function own() private {} }
     function free() {}
     contract Base { constructor(uint a) {} modifier m() { check(); _; } function check() internal {} }
     contract C is Base {
       constructor() Base(1) { free(); }
       function f(uint a) external m { a.get(); L.get(a); g(a); g(a, a); other.f(a); address(this).call(""); }
       function g(uint a) internal {}
       function g(uint a, uint b) internal {}
     }`,
    'C',
  );
  expect(callees('C.constructor')).toEqual(['Base.constructor', '.free']);
  expect(callees('C.f')).toEqual(['Base.m', 'L.get', 'L.get', 'C.g', 'C.g']);
  expect(callees('Base.m')).toEqual(['Base.check']);
  expect(callees('L.get')).toEqual(['L.own']);
});

test('takes a call of a variable for a call of any function that is used as a value', () => {
  const { callees } = createGraph(
    `contract C { function f(bool x) public { function() internal p = x ? a : b; p(); }
       function a() internal {} function b() internal {} function c() internal {} }`,
    'C',
  );
  expect(callees('C.f')).toEqual(['C.a', 'C.b']);
});

test('takes a call of a state variable for a call of any function that is used as a value', () => {
  const { callees } = createGraph(
    `contract C { function(uint) internal rate; function set() public { rate = half; }
       function f(uint x) public { rate(x); } function half(uint x) internal {} function none(uint x) internal {} }`,
    'C',
  );
  expect(callees('C.f')).toEqual(['C.half']);
});

test('finds the shortest ways from a function to another one, and to itself by recursion', () => {
  const { ways } = createGraph(
    `contract C { function f() public { a(); b(); } function a() internal { c(); } function b() internal { c(); b(); }
       function c() internal {} }`,
    'C',
  );
  expect(ways('C.f', 'C.c')).toEqual(['C.a C.c', 'C.b C.c']);
  expect(ways('C.b', 'C.b')).toEqual(['C.b']);
  expect(ways('C.c', 'C.f')).toEqual([]);
});

test('takes a call of an element or a member for a call of any function that is used as a value', () => {
  const { callees } = createGraph(
    `struct Rule { function(uint) internal check; }
     contract C { function(uint)[2] internal list; Rule internal rule;
       function set() external { list[0] = a; rule.check = a; }
       function f(uint i) external { list[i](i); } function g(uint i) external { rule.check(i); }
       function a(uint i) internal {} function b(uint i) internal {} }`,
    'C',
  );
  expect(callees('C.f')).toEqual(['C.a']);
  expect(callees('C.g')).toEqual(['C.a']);
});

test('takes operators for functions only in code that has a value of their type', () => {
  const { callees } = createGraph(
    `type Grams is uint; using {plus as +} for Grams global; function plus(Grams a, Grams b) pure returns (Grams) {}
     struct Box { Grams load; }
     contract C { mapping(uint => Box) internal boxes;
       function f(uint a) external { a + 1; } function g(uint a) external { boxes[a].load + boxes[0].load; } }`,
    'C',
  );
  expect(callees('C.f')).toEqual([]);
  expect(callees('C.g')).toEqual(['.plus']);
});

test('follows the names that imports give', () => {
  const { graph, callees } = createGraph(
    `import {Real as Base, Sums as S, add as plus} from "./a.sol"; import "./a.sol" as file;
     contract Real { function f() internal virtual {} } library Sums { function twice(uint a) internal {} }
     function add(uint a) {}
     contract C is Base { function g() external { f(); S.twice(1); plus(1); file.add(1); } }`,
    'C',
  );
  expect(graph.linearized.map(({ name }) => name)).toEqual(['C', 'Real']);
  expect(callees('C.g')).toEqual(['Real.f', 'Sums.twice', '.add', '.add']);
});
