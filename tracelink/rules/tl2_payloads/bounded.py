"""JSON Schema, Draft 2020-12, on schemas and values that nobody vouches for: no network, and never endless.

Schemas and values over a size are not checked; every keyword that is looked at costs steps of a budget, by the size of what it
looks at; a pattern runs only if its worst case is small (`patterns`). A reference that comes back to itself at the same value is endless; it is
ended here, as is what is nested deeper than the interpreter's stack is sure to bear. What was not checked is said, with the reason.
"""

import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple

from tracelink.rules.tl2_payloads.forms import Form, form_of, only_form
from tracelink.rules.tl2_payloads.patterns import bounded
from tracelink.rules.tl2_payloads.plain import fits
from tracelink.rules.tl2_payloads.schema import Unusable, prepared
from tracelink.rules.tl2_payloads.words import Failure, words

SCHEMA_NODES, SCHEMA_DEPTH = 2_000, 40
VALUE_NODES, VALUE_DEPTH, VALUE_CHARACTERS = 5_000, 60, 200_000
STEPS_A_CALL = 20_000
STEPS_IN_ALL, AND_A_CALL = 200_000, 100
"""Steps for one trace: so many, and so many more for each call, so that the work grows with the recording and no faster."""


NESTED = 180
"""Keywords inside keywords, by references too; each takes three or four frames of Python's stack, which ends at 1,000."""
FORMS, SCHEMAS = 10_000, 1_000
"""Forms of values that are remembered as good; schemas of which anything is remembered."""

TOO_LARGE = "the arguments are too large or too deep to check"
SLOW = "its schema takes too long to check"
TOO_MUCH = "the recording holds more than is checked in one run"


class Outcome(NamedTuple):
    """problems: what failed, in our words, sorted. unchecked: why nothing can be said, or None."""

    problems: tuple[str, ...] = ()
    unchecked: str | None = None


FITS = Outcome()


class _Exhausted(Exception):
    pass


class _TooDeep(Exception):
    pass


class _Endless(Exception):
    pass


_Good = dict[tuple[int, Form], Any]
"""(id of a schema, form of a value that fits it) → the schema, held so that no other takes its place in memory."""


class _Schema:
    """What is known of one schema. validator: the library's, or why there is none; None before anybody asked."""

    __slots__ = ("by_form", "schema", "small", "validator")

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self.small = _measure(schema, SCHEMA_NODES, SCHEMA_DEPTH) is not None
        self.by_form = self.small and only_form(schema)
        self.validator: Any = None


class Schemas:
    """What is known of schemas, whatever was checked before: no budget is looked at or spent here. So all traces of a run may share one,
    and what is found in each of them stays the same."""

    def __init__(self) -> None:
        self.plain: _Good = {}  # those that fit at a look
        self._by_id: dict[int, _Schema] = {}
        self._equal: dict[str, Any] = {}  # text → validator or reason

    def of(self, schema: Any) -> _Schema:
        known = self._by_id.get(id(schema))
        if known is None:
            if len(self._by_id) >= SCHEMAS:
                for kept in (self.plain, self._by_id, self._equal):
                    kept.clear()
            known = self._by_id[id(schema)] = _Schema(schema)
        return known

    def validator(self, known: _Schema) -> Any:
        """The library's, or why there is none; equal schemas have one."""
        if known.validator is None:
            if not known.small:
                known.validator = "its schema is too large or too deep to check"
            else:
                text = repr(known.schema)
                if text not in self._equal:
                    self._equal[text] = _compiled(known.schema)
                known.validator = self._equal[text]
        return known.validator


class Checker:
    """Checks values against schemas; compiles each distinct schema once. Make one a trace.

    calls: how many values there are to check at most; the budget grows with it. schemas: what is known of them already.
    """

    def __init__(self, calls: int = 0, schemas: Schemas | None = None) -> None:
        self._left = STEPS_IN_ALL + AND_A_CALL * calls
        self._call = 0
        self._nested = 0
        self._followed: set[tuple[int, int]] = set()  # ids of a schema with a reference and of the value held against it
        self._schemas = schemas if schemas is not None else Schemas()
        self._good: _Good = {}  # those that the library let pass, which took of the budget
        self._slow: dict[int, Any] = {}  # id of the schema → the schema that used up the steps of one call

    def known(self, schema: Any, value: Any) -> bool:
        """Whether a value of this form was found to fit the schema before."""
        form = (id(schema), form_of(value))
        return form in self._schemas.plain or form in self._good

    def check(self, schema: Any, value: Any) -> Outcome:
        """Hold a decoded value against a schema. Never raises."""
        form = (id(schema), form_of(value))
        if form in self._schemas.plain or form in self._good:
            return FITS
        known = self._schemas.of(schema)
        plain = known.small and fits(schema, value) and _measure(value, VALUE_NODES, VALUE_DEPTH) is not None
        outcome = FITS if plain else self._check(schema, value)
        good = self._schemas.plain if plain else self._good
        if outcome == FITS and form[1] is not None and known.by_form and len(good) < FORMS:
            good[form] = schema
        return outcome

    def _check(self, schema: Any, value: Any) -> Outcome:
        if _measure(value, VALUE_NODES, VALUE_DEPTH) is None:
            return Outcome(unchecked=TOO_LARGE)
        if id(schema) in self._slow:
            return Outcome(unchecked=SLOW)
        validator = self._schemas.validator(self._schemas.of(schema))
        if isinstance(validator, str):
            return Outcome(unchecked=validator)
        if self._left <= 0:
            return Outcome(unchecked=TOO_MUCH)
        self._call = min(STEPS_A_CALL, self._left)
        before = self._call
        self._nested = 0
        self._followed.clear()
        token = _CHECKER.set(self)
        try:
            problems = {words(Failure(*_facts(error))) for error in validator.iter_errors(value)}
            return Outcome(tuple(sorted(problems, key=lambda one: (len(one), one))))
        except _Exhausted:
            if before < STEPS_A_CALL:
                self._left = before = self._call = 0
                return Outcome(unchecked=TOO_MUCH)
            self._slow[id(schema)] = schema
            return Outcome(unchecked=SLOW)
        except _TooDeep:
            return Outcome(unchecked=TOO_LARGE)
        except Exception as error:  # whatever a broken schema makes of the library; a reference that would need the network
            outside = "Referenc" in type(error).__name__ or "Unresolvable" in type(error).__name__
            return Outcome(unchecked="its schema refers to another place" if outside else "its schema is broken or endless")
        finally:
            _CHECKER.reset(token)
            self._left -= before - self._call

    def spend(self, steps: int) -> None:
        """Takes steps from the budget; raises when it is used up, which ends the check of this value."""
        self._call -= steps
        if self._call < 0:
            self._call = 0
            raise _Exhausted

    def enter(self, reference: tuple[int, int] | None) -> None:
        """Before a keyword is looked at; `leave` after it. Raises where that would have no end, or one out of reach."""
        if reference in self._followed:
            raise _Endless
        if self._nested >= NESTED:
            raise _TooDeep
        self._nested += 1
        if reference is not None:
            self._followed.add(reference)

    def leave(self, reference: tuple[int, int] | None) -> None:
        self._nested -= 1
        if reference is not None:
            self._followed.discard(reference)


def _compiled(schema: Any) -> Any:
    from referencing import Registry

    try:
        ready = prepared(schema)
    except Unusable as error:
        return f"its schema {error}"
    return _validators()(ready, registry=Registry())  # an empty registry: nothing is ever fetched


_CHECKER: ContextVar[Checker] = ContextVar("checker")
"""Whose budget the keywords spend."""


@cache
def _validators() -> Any:
    """The library's class for Draft 2020-12 with keywords that count; making one takes long, so there is one."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    keywords = {name: _counted(name, keyword) for name, keyword in Draft202012Validator.VALIDATORS.items()}
    keywords["pattern"] = _counted("pattern", _pattern)
    return extend(Draft202012Validator, keywords)


def _counted(name: str, keyword: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    refers = name in ("$ref", "$dynamicRef")

    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        checker = _CHECKER.get()
        spend = checker.spend
        size = len(instance) if isinstance(instance, list | dict) else 0
        cost = 1 + (len(value) if isinstance(value, list | dict) else 0) + size
        if name == "uniqueItems":
            cost += size * size // 10
        elif name == "pattern" and isinstance(instance, str):
            cost += (bounded(value, len(instance)) or 0) // 1000
        spend(cost)
        reference = (id(schema), id(instance)) if refers else None
        checker.enter(reference)
        try:
            for error in keyword(validator, value, instance, schema) or ():
                spend(len(error.message) // 200)
                yield error
        finally:
            checker.leave(reference)

    return counted


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """The keyword, where the pattern may be run; where not, it holds."""
    from jsonschema import ValidationError

    if isinstance(instance, str) and bounded(pattern, len(instance)) is not None and not re.search(pattern, instance):
        yield ValidationError("")


def _facts(error: Any) -> tuple[tuple[str | int, ...], str | None, Any, Any]:
    return tuple(error.absolute_path), error.validator, error.validator_value, (error.instance, error.schema)


def _children(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _measure(value: Any, nodes: int, depth: int) -> int | None:
    """The number of values in a JSON value, None if it is over a bound. Not recursive."""
    level, count, characters = [value], 0, 0
    for _ in range(depth):
        count += len(level)
        if count > nodes:
            return None
        names = (name for one in level if isinstance(one, dict) for name in one)
        characters += sum(len(one) for one in level if isinstance(one, str)) + sum(map(len, names))
        if characters > VALUE_CHARACTERS:
            return None
        level = [child for one in level for child in _children(one)]
        if not level:
            return count
    return None
