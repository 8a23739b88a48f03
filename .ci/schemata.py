"""Finds possible mutations of Swift source, and writes source that contains all of them.

A switch guards every mutant, so that one build can run any of them. A mutated operator becomes a
custom operator with the same precedence. Mutants that do not compile are found by the compiler and
removed.
"""
import re


class Mutant:
  """One mutation of a file, with its edits."""

  def __init__(self, file, source, name, start, end, edits, operator=None):
    self.file, self.name, self.operator = file, name, operator
    self.module = file.split("/")[1]
    self.short_file = file.removeprefix(f"Sources/{self.module}/")
    self.place = (file, start, end)
    self.first_line = source.count("\n", 0, start) + 1
    self.last_line = source.count("\n", 0, end) + 1
    line = source.split("\n")[self.first_line - 1].strip()
    # Remains the same while the line does, wherever it moves.
    self.key = (self.short_file.rsplit("/", 1)[-1], line, name)
    # The number among mutants with the same key.
    self.which = 0
    self.edits = edits
    self.number = 0

  @property
  def identity(self):
    return "\t".join([*self.key, str(self.which)])


# Text between start and end, with "#" for the mutant's number and "@" for its operator.
BEFORE, AFTER, INSTEAD = 1, 0, 2
COMPARISON, ADDITION = "ComparisonPrecedence", "AdditionPrecedence"
PRODUCT, SHIFT = "MultiplicationPrecedence", "BitwiseShiftPrecedence"
RANGE = "RangeFormationPrecedence"
OPERATORS = {
  "<": [("<=", COMPARISON, "Comparable"), (">", COMPARISON, "Comparable")],
  "<=": [("<", COMPARISON, "Comparable"), (">=", COMPARISON, "Comparable")],
  ">": [(">=", COMPARISON, "Comparable"), ("<", COMPARISON, "Comparable")],
  ">=": [(">", COMPARISON, "Comparable"), ("<=", COMPARISON, "Comparable")],
  "==": [("!=", COMPARISON, "Equatable")],
  "!=": [("==", COMPARISON, "Equatable")],
  "+": [("-", ADDITION, "AdditiveArithmetic")],
  "-": [("+", ADDITION, "AdditiveArithmetic")],
  "&+": [("&-", ADDITION, "FixedWidthInteger")],
  "&-": [("&+", ADDITION, "FixedWidthInteger")],
  "|": [("&", ADDITION, "BinaryInteger")],
  "^": [("&", ADDITION, "BinaryInteger")],
  "&": [("|", PRODUCT, "BinaryInteger")],
  "*": [("+", PRODUCT, "Numeric")],
  "/": [("*", PRODUCT, "BinaryInteger")],
  "%": [("/", PRODUCT, "BinaryInteger")],
  "<<": [(">>", SHIFT, "FixedWidthInteger")],
  ">>": [("<<", SHIFT, "FixedWidthInteger")],
  "+=": [("-=", "AssignmentPrecedence", "AdditiveArithmetic")],
  "-=": [("+=", "AssignmentPrecedence", "AdditiveArithmetic")],
  "&&": [("||", "LogicalConjunctionPrecedence", "Bool")],
  "||": [("&&", "LogicalDisjunctionPrecedence", "Bool")],
  "??": [("its right side", "NilCoalescingPrecedence", "nil")],
  "..<": [("...", RANGE, "range")],
}
KEYWORDS = set(
  """actor associatedtype async await case catch class convenience default defer deinit do dynamic
  else enum extension fileprivate final for func guard if import in indirect infix init inout
  internal let mutating nonisolated open operator override package postfix precedencegroup prefix
  private protocol public repeat required static struct subscript super switch typealias unowned
  var weak where while""".split())
STATEMENT = re.compile(
  r"(throw\b|continue$|break$|return$"
  r"|(try[?!]? )?[\w.]+(\[[^\]]*\])?(\(|\s+([-+&|]?=|\|=)\s|\s\{))")


def masked(source):
  """The source with comments and strings blanked, at the same offsets."""
  text = list(source)
  pattern = re.compile(
    r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""'
    r'|"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\\n])*"', re.S)
  for match in pattern.finditer(source):
    for place in range(match.start(), match.end()):
      if text[place] != "\n":
        # A statement can still end with the string.
        text[place] = "_" if source[match.start()] == '"' else " "
  return "".join(text)


def scan(text, place, stops):
  """The first match of a stop from the place on, outside brackets opened after it."""
  depth = 0
  while place < len(text):
    if depth == 0:
      match = stops.match(text, place)
      if match:
        return match
    if text[place] in "([{":
      depth += 1
    elif text[place] in ")]}":
      depth -= 1
      if depth < 0:
        return None
    place += 1
  return None


def clauses(text):
  """Conditions of guard, if, while and where: keyword, begin and end of each Boolean clause."""
  for match in re.finditer(r"\b(guard|if|while|where)\s", text):
    keyword = match[1]
    if keyword == "where" and not re.search(r"\bfor\b[^\n]*$", text[: match.start()]):
      continue
    stops = re.compile(r"\belse\b|," if keyword == "guard" else r"[{,]")
    start = match.end()
    while True:
      stop = scan(text, start, stops)
      if stop is None:
        break
      clause = text[start : stop.start()]
      begin = start + len(clause) - len(clause.lstrip())
      end = start + len(clause.rstrip())
      if end > begin and not re.match(r"(let|var|case)\b|#|_ =", text[begin:end]):
        yield keyword, begin, end
      if stop[0] != ",":
        break
      start = stop.end()


def statements(text):
  """Begin and end of statements that can be removed."""
  brackets = []
  offset = 0
  previous = "{"
  for line in text.split("\n"):
    begin = offset + len(line) - len(line.lstrip())
    word = re.match(r"(?:try[?!]? )?(\w+)", line.strip())
    can_begin = (
      brackets and text[brackets[-1]] == "{" and word and word[1] not in KEYWORDS
      and re.search(r"[{}\w)\]?!]$|^\s*(case .*|default):$", previous)
      and not re.search(r"\b(return|else|else \{)$", previous))
    if can_begin and STATEMENT.match(line.strip()):
      stop = scan(text, begin, re.compile(r"\n(?!\s*[.?:&|+\-*/=<>])"))
      if stop:
        yield begin, begin + len(text[begin : stop.start()].rstrip())
    for place in range(offset, offset + len(line)):
      if text[place] in "([{":
        brackets.append(place)
      elif text[place] in ")]}" and brackets:
        brackets.pop()
    if line.strip():
      previous = line.rstrip()
    offset += len(line) + 1


def candidates(file, source, has_fixed=False):
  """All mutants of a file; with `has_fixed`, also comparisons that are always true or false."""
  text = masked(source)
  found = []

  def add(name, start, end, edits, operator=None):
    line = source[source.rfind("\n", 0, start) + 1 :].split("\n")[0]
    # Skips memory reservations and declarations.
    if "reserveCapacity" in line or re.match(r"\s*(import|internal import|@|#)", line):
      return
    mutant = Mutant(file, source, name, start, end, edits, operator)
    mutant.which = sum(other.key == mutant.key for other in found)
    found.append(mutant)

  for match in re.finditer(r"(?<=\s)([-+*/%<>=!&|^?]+)(?=\s)", text):
    if text[: match.start()].endswith("func "):
      continue
    others = OPERATORS.get(match[1], [])
    if has_fixed and others and others[0][1] == COMPARISON:
      others = others + [(what, COMPARISON, others[0][2]) for what in ("true", "false")]
    for other, precedence, kind in others:
      add(
        f"{match[1]} is {other}", match.start(), match.end(),
        [(INSTEAD, match.start(), match.end(), "@")], (match[1], other, precedence, kind))
  for match in re.finditer(r"(?<=[\w)\]])\.\.<(?=[\w(])", text):
    add(
      "..< is ...", match.start(), match.end(), [(INSTEAD, match.start(), match.end(), "@")],
      ("..<", "...", RANGE, "range"))
  for match in re.finditer(r"(?<=[\s(,])!(?=[\w(])", text):
    add(
      "! is dropped", match.start(), match.end(), [(INSTEAD, match.start(), match.end(), "@")],
      ("!", "", "", "prefix"))
  for match in re.finditer(r"(?<![\w.$])(\d+)(?!\w|\.\d)", text):
    number = int(match[1])
    for other in [number + 1] + ([number - 1] if number > 0 else []):
      add(
        f"{number} is {other}", match.start(), match.end(),
        [(INSTEAD, match.start(), match.end(), f"mutated(#, {number}, {other})")])
  for match in re.finditer(r"(?<![\w.])(true|false)\b", text):
    other = "false" if match[1] == "true" else "true"
    add(
      f"{match[1]} is {other}", match.start(), match.end(),
      [(INSTEAD, match.start(), match.end(), f"mutated(#, {match[1]}, {other})")])
  for match in re.finditer(r"(?<![\w.])(min|max)\(", text):
    other = "max" if match[1] == "min" else "min"
    add(
      f"{match[1]} is {other}", match.start(), match.end(),
      [(INSTEAD, match.start(), match.end(), f"mutated{match[1].capitalize()}(#, ")])
  for keyword, begin, end in clauses(text):
    if keyword != "while":
      add(
        "the condition always holds", begin, end,
        [(BEFORE, begin, begin, "(("), (AFTER, end, end, ") || isMutant(#))")])
    if keyword != "guard":
      add(
        "the condition never holds", begin, end,
        [(BEFORE, begin, begin, "(("), (AFTER, end, end, ") && !isMutant(#))")])
  for begin, end in statements(text):
    add(
      "the statement is dropped", begin, end,
      [(BEFORE, begin, begin, "if !isMutant(#) { "), (AFTER, end, end, " }")])
  return found


def spelled(number):
  """A number spelt in operator characters."""
  return "⊞" + "".join("←↑→↓↔↕↖↗↘↙"[int(digit)] for digit in str(number))


def mutated(source, mutants):
  """A file with all its mutants."""
  edits = []
  for mutant in mutants:
    for kind, start, end, text in mutant.edits:
      text = text.replace("#", str(mutant.number)).replace("@", spelled(mutant.number))
      # Of edits that begin at one place the longest is outermost, of those that end at one the
      # shortest innermost.
      length = mutant.place[2] - mutant.place[1]
      edits.append((start, kind, length if kind == AFTER else -length, end, text))
  for start, kind, _, end, text in sorted(edits, reverse=True):
    source = source[:start] + text + source[end:]
  return source


def definition(mutant):
  """The declaration of a mutant's operator."""
  operator, other, precedence, kind = mutant.operator
  name, test = spelled(mutant.number), f"isMutant({mutant.number})"
  declaration = f"infix operator {name}: {precedence}\n@inline(__always) func {name}"
  if kind == "prefix":
    return (
      f"prefix operator {name}\n@inline(__always) prefix func {name}(a: Bool) -> Bool "
      f"{{ {test} ? a : !a }}\n")
  if kind == "Bool":
    return (
      f"{declaration}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool "
      f"{{ {test} ? try a {other} b() : try a {operator} b() }}\n")
  if kind == "nil":
    return (
      f"{declaration}<T>(a: T?, b: @autoclosure () throws -> T) rethrows -> T "
      f"{{ {test} ? try b() : try a ?? b() }}\n"
      f"@inline(__always) func {name}<T>(a: T?, b: @autoclosure () throws -> T?) rethrows -> T? "
      f"{{ {test} ? try b() : try a ?? b() }}\n")
  if kind == "range":
    return (
      f"{declaration}<T: Strideable>(a: T, b: T) -> Range<T> where T.Stride: SignedInteger "
      f"{{ {test} ? a..<b.advanced(by: 1) : a..<b }}\n")
  if precedence == "AssignmentPrecedence":
    return (
      f"{declaration}<T: {kind}>(a: inout T, b: T) "
      f"{{ if {test} {{ a {other} b }} else {{ a {operator} b }} }}\n")
  if precedence == SHIFT:
    return (
      f"{declaration}<T: {kind}, U: BinaryInteger>(a: T, b: U) -> T "
      f"{{ {test} ? a {other} b : a {operator} b }}\n")
  if other in ("true", "false"):
    return (
      f"{declaration}<T: {kind}>(a: T, b: T) -> Bool {{ {test} ? {other} : a {operator} b }}\n")
  result = "Bool" if precedence == COMPARISON else "T"
  return (
    f"{declaration}<T: {kind}>(a: T, b: T) -> {result} "
    f"{{ {test} ? a {other} b : a {operator} b }}\n")


SWITCH = """internal import CMutant

@inline(__always) func isMutant(_ number: CInt) -> Bool { mutant_is(number) != 0 }
@inline(__always) func mutated<T>(_ number: CInt, _ original: T, _ other: T) -> T {
  isMutant(number) ? other : original
}
@inline(__always) func mutatedMin<T: Comparable>(_ number: CInt, _ a: T, _ b: T) -> T {
  isMutant(number) ? max(a, b) : min(a, b)
}
@inline(__always) func mutatedMax<T: Comparable>(_ number: CInt, _ a: T, _ b: T) -> T {
  isMutant(number) ? min(a, b) : max(a, b)
}
"""


def support(mutants):
  """The additional files that the mutants need."""
  modules = {}
  for mutant in mutants:
    modules.setdefault(mutant.module, []).append(mutant)
  switches = {
    f"Sources/{module}/Mutants.swift": SWITCH + "".join(
      definition(mutant) for mutant in those if mutant.operator)
    for module, those in modules.items()
  }
  return switches | {
    "Sources/CMutant/include/mutant.h": "extern int mutant_value;\n"
    "static inline int mutant_is(int number) { return mutant_value == number; }\n",
    "Sources/CMutant/mutant.c": '#include "mutant.h"\n#include <stdlib.h>\n\nint mutant_value;\n\n'
    "__attribute__((constructor)) static void read_mutant(void) {\n"
    '  const char *text = getenv("MUTANT");\n  mutant_value = text ? atoi(text) : 0;\n}\n',
  }
