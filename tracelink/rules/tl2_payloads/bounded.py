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
FORMS = 10_000
"""Forms of values that are remembered as good."""

TOO_LARGE = "the arguments are too large or too deep to check"
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


class Checker:
    """Checks values against schemas; compiles each distinct schema once. Make one a trace.

    calls: how many values there are to check at most; the budget grows with it.
    """

    def __init__(self, calls: int = 0) -> None:
        self._left = STEPS_IN_ALL + AND_A_CALL * calls
        self._call = 0
        self._nested = 0
        self._followed: set[tuple[int, int]] = set()  # ids of a schema with a reference and of the value held against it
        self._compiled: dict[int, tuple[Any, Any]] = {}  # id of the schema → (the schema, validator or reason)
        self._equal: dict[str, Any] = {}
        self._small: dict[int, tuple[Any, bool]] = {}  # id of the schema → (the schema, whether it is under the bounds)
        self._good: set[tuple[int, Form]] = set()  # (id of the schema, form of a value that fits it)
        self._by_form: dict[int, bool] = {}  # id of the schema → whether it looks at forms alone

    def known(self, schema: Any, value: Any) -> bool:
        """Whether a value of this form was found to fit the schema before."""
        return (id(schema), form_of(value)) in self._good

    def check(self, schema: Any, value: Any) -> Outcome:
        """Hold a decoded value against a schema. Never raises."""
        form = (id(schema), form_of(value))
        if form in self._good:
            return Outcome()
        outcome = Outcome() if self._plainly(schema, value) else self._check(schema, value)
        if outcome == Outcome() and form[1] is not None and len(self._good) < FORMS and self._only_form(schema):
            self._good.add(form)
        return outcome

    def _only_form(self, schema: Any) -> bool:
        known = self._by_form.get(id(schema))
        if known is None:
            known = self._by_form[id(schema)] = only_form(schema)
        return known

    def _plainly(self, schema: Any, value: Any) -> bool:
        """Whether it fits at a look, with schema and value under the bounds that hold for the library too."""
        known = self._small.get(id(schema))
        if known is None:
            known = self._small[id(schema)] = (schema, _measure(schema, SCHEMA_NODES, SCHEMA_DEPTH) is not None)
        return known[1] and fits(schema, value) and _measure(value, VALUE_NODES, VALUE_DEPTH) is not None

    def _check(self, schema: Any, value: Any) -> Outcome:
        if _measure(value, VALUE_NODES, VALUE_DEPTH) is None:
            return Outcome(unchecked=TOO_LARGE)
        validator = self._validator(schema)
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
            self._compiled[id(schema)] = (schema, "its schema takes too long to check")
            return Outcome(unchecked="its schema takes too long to check")
        except _TooDeep:
            return Outcome(unchecked=TOO_LARGE)
        except Exception as error:  # whatever a broken schema makes of the library; a reference that would need the network
            outside = "Referenc" in type(error).__name__ or "Unresolvable" in type(error).__name__
            return Outcome(unchecked="its schema refers to another place" if outside else "its schema is broken or endless")
        finally:
            _CHECKER.reset(token)
            self._left -= before - self._call

    def _validator(self, schema: Any) -> Any:
        known = self._compiled.get(id(schema))
        if known is None:
            measured = _measure(schema, SCHEMA_NODES, SCHEMA_DEPTH)
            if measured is None:
                known = (schema, "its schema is too large or too deep to check")
            else:
                text = repr(schema)
                if text not in self._equal:
                    self._equal[text] = self._compile(schema)
                known = (schema, self._equal[text])
            self._compiled[id(schema)] = known
        return known[1]

    def _compile(self, schema: Any) -> Any:
        from referencing import Registry

        try:
            ready = prepared(schema)
        except Unusable as error:
            return f"its schema {error}"
        return _validators()(ready, registry=Registry())  # an empty registry: nothing is ever fetched

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
