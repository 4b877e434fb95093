"""Where the words of an expression come from: the texts that it may be, followed through the program's code.

``Code`` holds every module, parsed.  ``Code.values`` returns the expressions that an expression may stand for: what a
name was assigned, what a function returns or yields, what callers pass for a parameter, what a field of a class was
made with.  It overlooks what is made at run time only.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

MOST = 60
"""Expressions that one may stand for; what has more is no text worth following."""
_PASSED_ON = {"str", "one_line", "safe", "cast", "list", "tuple", "sorted", "iter", "dict.fromkeys", "capitalised"}
_SAME_TEXT = {"strip", "rstrip", "lstrip", "replace", "capitalize", "lower", "format", "removesuffix", "removeprefix"}
WRITTEN = {"did_you_mean", "shown", "kind_of", "label", "format_suit", "format_card", "word_of", "article"}
"""Functions that write a value, or name what was meant: a call of one is put in as it stands."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Scope:
    """A module, class or function, and what it lies in."""

    module: "Module"
    node: ast.AST
    above: "Scope | None" = None

    @cached_property
    def own(self) -> list[ast.AST]:
        """The nodes of the scope, without those of functions within it."""
        return list(own_nodes(self.node))

    @cached_property
    def params(self) -> list[str]:
        """The names of the function's parameters, in order; of a method without the first."""
        if not isinstance(self.node, Function):
            return []
        a = self.node.args
        names = [p.arg for p in (*a.posonlyargs, *a.args)]
        return names[1:] if names[:1] in (["self"], ["cls"]) else names

    @cached_property
    def keyword_params(self) -> set[str]:
        """Those that are passed by name alone."""
        return {p.arg for p in self.node.args.kwonlyargs} if isinstance(self.node, Function) else set()

    @cached_property
    def assigned(self) -> dict[str, list[tuple[ast.expr, tuple[int, ...] | None, bool]]]:
        """By name: what it was assigned, its place in a tuple, and whether it runs through the elements."""
        found: dict[str, list[tuple[ast.expr, tuple[int, ...] | None, bool]]] = {}

        def add(target: ast.AST, value: ast.expr, at: tuple[int, ...], each: bool) -> None:
            if isinstance(target, ast.Name):
                found.setdefault(target.id, []).append((value, at or None, each))
            elif isinstance(target, ast.Tuple | ast.List):
                for n, part in enumerate(target.elts):
                    add(part, value, (*at, n), each)

        for node in self.own:
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        add(target, value, (), False)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    add(target, value, (), False)
                case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                    add(target, value, (), False)
                case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                    add(target, value, (), True)
        return found


class Module:
    """A file of the program, parsed."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path
        self.name = str(path.relative_to(root))
        self.tree = ast.parse(path.read_text("utf-8"))
        self.dotted = self.name.removesuffix(".py").removesuffix("/__init__").removeprefix("plugins/").replace("/", ".")
        self.imported: dict[str, tuple[str, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                self.imported.update({a.asname or a.name: (node.module, a.name) for a in node.names})
        self.scope = Scope(self, self.tree)
        self.scopes = list(self._scopes(self.tree, self.scope))
        self.functions = {s.node.name: s for s in self.scopes if isinstance(s.node, Function)}
        self.classes = {s.node.name: s for s in self.scopes if isinstance(s.node, ast.ClassDef)}

    def _scopes(self, node: ast.AST, scope: Scope) -> Iterator[Scope]:
        if node is self.tree:
            yield scope
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function | ast.ClassDef):
                inner = Scope(self, child, scope)
                yield inner
                yield from self._scopes(child, inner)
            else:
                yield from self._scopes(child, scope)


def own_nodes(owner: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, class or module, but not those of functions and classes within it."""
    for child in ast.iter_child_nodes(owner):
        if not isinstance(child, Function | ast.ClassDef):
            yield child
            yield from own_nodes(child)
        else:
            for decorator in child.decorator_list:
                yield decorator
                yield from ast.walk(decorator)
            if isinstance(child, Function):
                for default in (*child.args.defaults, *child.args.kw_defaults):
                    if default is not None:
                        yield from ast.walk(default)


Found = tuple[ast.expr, Scope]


@dataclass
class Code:
    """Every module of the program, and who calls whom."""

    modules: list[Module]
    calls: dict[str, list[tuple[ast.Call, Scope]]] = field(default_factory=dict)
    known: dict[tuple[int, int], list[Found]] = field(default_factory=dict)
    parts: dict[tuple[int, int], list[Found]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_name = {m.dotted: m for m in self.modules}
        for module in self.modules:
            for scope in module.scopes:
                for node in scope.own:
                    if isinstance(node, ast.Call) and called(node):
                        whole = self._whole(node, scope)
                        self.calls.setdefault(called(whole), []).append((whole, scope))

    @staticmethod
    def _whole(call: ast.Call, scope: Scope) -> ast.Call:
        """The call of a function, where what is called is a ``partial`` of it."""
        known = scope.assigned.get(call.func.id, []) if isinstance(call.func, ast.Name) else []
        for value, _, _ in known:
            if isinstance(value, ast.Call) and called(value) == "partial" and value.args:
                return ast.Call(value.args[0], [*value.args[1:], *call.args], [*value.keywords, *call.keywords])
        return call

    def function(self, name: str, scope: Scope, *, method: bool = False) -> list[Scope]:
        """The functions that a name may be here: one of the module, one imported, or methods of the program."""
        module = scope.module
        if name in module.functions:
            return [module.functions[name]]
        if name in module.imported:
            where, real = module.imported[name]
            other = self.by_name.get(where)
            if other is not None and real in other.functions:
                return [other.functions[real]]
            if other is not None and real in other.imported:  # handed on by a package
                further = self.by_name.get(other.imported[real][0])
                return [further.functions[real]] if further and real in further.functions else []
            return []
        if not method:
            return []
        found = [m.functions[name] for m in self.modules if name in m.functions]
        return found if len(found) <= 2 else []

    def klass(self, name: str, scope: Scope) -> Scope | None:
        """The class of the program that a name is here."""
        if name in scope.module.classes:
            return scope.module.classes[name]
        where, real = scope.module.imported.get(name, ("", ""))
        other = self.by_name.get(where)
        return other.classes.get(real) if other else None

    def callers(self, function: Scope) -> list[tuple[ast.Call, Scope]]:
        """The calls of a function, by its name, from modules that can mean it."""
        name = function.node.name  # type: ignore[attr-defined]
        found = []
        for call, scope in self.calls.get(name, []):
            if not isinstance(call.func, ast.Attribute):
                if function in self.function(name, scope):
                    found.append((call, scope))
            elif function.above is not None and isinstance(function.above.node, ast.ClassDef):
                if self._means(call.func.value, scope, function.above, name):
                    found.append((call, scope))
            elif isinstance(call.func.value, ast.Name) and function in self._of_module(call.func, scope):
                found.append((call, scope))
        return found

    def _of_module(self, node: ast.Attribute, scope: Scope) -> list[Scope]:
        """The function that an attribute of an imported module is."""
        named = node.value.id if isinstance(node.value, ast.Name) else ""
        where, real = scope.module.imported.get(named, ("", ""))
        other = self.by_name.get(f"{where}.{real}")
        return [other.functions[node.attr]] if other and node.attr in other.functions else []

    def _means(self, receiver: ast.expr, scope: Scope, klass: Scope, name: str) -> bool:
        """Whether a method that is called on something may be that of a class."""
        own = klass.node.name  # type: ignore[attr-defined]
        if isinstance(receiver, ast.Name) and receiver.id in ("self", "cls"):
            here: Scope | None = scope
            while here is not None and not isinstance(here.node, ast.ClassDef):
                here = here.above
            if here is None:
                return False
            bases = {b.id for b in here.node.bases if isinstance(b, ast.Name)}  # type: ignore[attr-defined]
            return here is klass or own in bases
        near = scope.module is klass.module or own in scope.module.imported
        others = [m for m in self.modules if name in m.functions]
        return near or len(others) == 1

    def argument(self, call: ast.Call, function: Scope, name: str) -> ast.expr | None:
        """What a call passes for a parameter; None where it leaves it out."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        if name in function.params:
            at = function.params.index(name)
            if at < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args[: at + 1]):
                return call.args[at]
        return None

    def default(self, function: Scope, name: str) -> ast.expr | None:
        """The default of a parameter."""
        a = function.node.args  # type: ignore[attr-defined]
        plain = [p.arg for p in (*a.posonlyargs, *a.args)]
        pairs = dict(zip(reversed(plain), reversed(a.defaults), strict=False))
        pairs.update({p.arg: d for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None})
        return pairs.get(name)

    def values(self, node: ast.expr, scope: Scope) -> list[Found]:
        """The expressions that one may stand for, itself where nothing more is known."""
        key = (id(node), id(scope))
        if key not in self.known:
            self.known[key] = []  # what leads back to itself adds nothing
            self.known[key] = self._values(node, scope)
        return self.known[key]

    def _values(self, node: ast.expr, scope: Scope) -> list[Found]:
        found: list[Found] = []

        def more(expr: ast.expr, at: Scope = scope) -> None:
            if len(found) < MOST:
                found.extend(self.values(expr, at))

        match node:
            case ast.Constant(value=None):
                return []
            case ast.IfExp(body=body, orelse=orelse):
                more(body)
                more(orelse)
            case ast.BoolOp(values=parts):
                for part in parts if isinstance(node.op, ast.Or) else parts[-1:]:
                    more(part)
            case ast.NamedExpr(value=value) | ast.Await(value=value):
                more(value)
            case ast.Name(id=name):
                found = self._of_name(name, scope)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _PASSED_ON:
                more(first)
            case ast.Call(func=ast.Attribute(attr="join"), args=[first]):
                for expr, at in self.elements(first, scope):
                    more(expr, at)
            case ast.Call(func=ast.Attribute(value=text, attr=name)) if name in _SAME_TEXT:
                more(text)
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, *rest]):
                for expr, at in self._entries(table, scope):
                    more(expr, at)
                for expr in rest:
                    more(expr)
            case ast.Call(func=ast.Name(id="next"), args=[first, *rest]):
                for expr, at in self.elements(first, scope):
                    more(expr, at)
                for expr in rest:
                    more(expr)
            case ast.Call() if called(node) not in WRITTEN:
                for expr, at in self._returned(node, scope):
                    more(expr, at)
            case ast.Attribute(attr=name):
                for expr, at in self._fields(node, name, scope):
                    more(expr, at)
            case ast.Subscript(value=value):
                for expr, at in self._entries(value, scope):
                    more(expr, at)
        unique = list({id(e): (e, s) for e, s in found}.values())[:MOST]
        return unique or [(node, scope)]

    def _of_name(self, name: str, scope: Scope) -> list[Found]:
        here: Scope | None = scope
        while here is not None:
            if name in here.assigned:
                return [one for value, at, each in here.assigned[name] for one in self._part(value, at, each, here)]
            if name in here.params or name in here.keyword_params:
                found: list[Found] = []
                passed = [(self.argument(c, here, name), s) for c, s in self.callers(here)]
                default = self.default(here, name)
                for expr, at in [*passed, (default, here)]:
                    if expr is not None:
                        found += self.values(expr, at)
                return found
            here = here.above
        where, real = scope.module.imported.get(name, ("", ""))
        if other := self.by_name.get(where):
            return self._of_name(real, other.scope)
        return []

    def _part(self, value: ast.expr, at: tuple[int, ...] | None, each: bool, scope: Scope) -> Iterator[Found]:
        whole = self.elements(value, scope) if each else self.values(value, scope)
        for expr, where in whole:
            parts = [(expr, where)]
            for n in at or ():
                tuples = [
                    one for e, s in parts for one in ([(e, s)] if isinstance(e, ast.Tuple) else self.values(e, s))
                ]
                parts = [(e.elts[n], s) for e, s in tuples if isinstance(e, ast.Tuple) and n < len(e.elts)]
            for e, s in parts:
                yield from self.values(e, s)

    def elements(self, node: ast.expr, scope: Scope) -> list[Found]:
        """The elements of what an expression may be: of a list, of what a function yields, of what is appended."""
        key = (id(node), id(scope))
        if key not in self.parts:
            self.parts[key] = []
            self.parts[key] = self._elements(node, scope)
        return self.parts[key]

    def _elements(self, node: ast.expr, scope: Scope) -> list[Found]:
        found: list[Found] = []
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                for part in parts:
                    if isinstance(part, ast.Starred):
                        found += self.elements(part.value, scope)
                    else:
                        found.append((part, scope))
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt) | ast.SetComp(elt=elt):
                found.append((elt, scope))
            case ast.BoolOp(values=parts):
                for part in parts:
                    found += self.elements(part, scope)
            case ast.BinOp(left=left, right=right):
                found += [*self.elements(left, scope), *self.elements(right, scope)]
            case ast.IfExp(body=body, orelse=orelse):
                found += self.elements(body, scope) + self.elements(orelse, scope)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _PASSED_ON | {"enumerate", "filter"}:
                found += self.elements(first, scope)
            case ast.Call(func=ast.Attribute(value=table, attr="values" | "items")):
                found += self._entries(table, scope)
            case ast.Call():
                for function in self._functions(node, scope):
                    for inner in function.own:
                        if isinstance(inner, ast.Yield) and inner.value is not None:
                            found.append((inner.value, function))
                        elif isinstance(inner, ast.YieldFrom | ast.Return) and inner.value is not None:
                            found += self.elements(inner.value, function)
            case ast.Name(id=name):
                here: Scope | None = scope
                while here is not None and name not in here.assigned:
                    here = here.above
                if here is not None:
                    for value, at, each in here.assigned[name]:
                        if at is None and not each:
                            found += self.elements(value, here)
                    for inner in here.own:
                        match inner:
                            case ast.Call(func=ast.Attribute(value=ast.Name(id=n), attr="append"), args=[one]) if (
                                n == name
                            ):
                                found.append((one, here))
        return found[:MOST]

    def _entries(self, node: ast.expr, scope: Scope) -> list[Found]:
        """The values of a table that is written out."""
        known = self.values(node, scope) if not isinstance(node, ast.Dict) else [(node, scope)]
        found: list[Found] = []
        for expr, at in known:
            if isinstance(expr, ast.Dict):
                found += [(v, at) for v in expr.values]
            elif isinstance(expr, ast.Tuple | ast.List):
                found += [(v, at) for v in expr.elts]
        return found

    def _functions(self, call: ast.Call, scope: Scope) -> list[Scope]:
        if isinstance(call.func, ast.Name):
            return self.function(call.func.id, scope)
        if isinstance(call.func, ast.Attribute):
            return self.function(call.func.attr, scope, method=True)
        return []

    def _returned(self, call: ast.Call, scope: Scope) -> Iterator[Found]:
        for function in self._functions(call, scope):
            for node in function.own:
                if isinstance(node, ast.Return) and node.value is not None:
                    yield node.value, function

    def _fields(self, node: ast.Attribute, name: str, scope: Scope) -> list[Found]:
        """What a field of an object was made with: of a class that this module has or imports."""
        found: list[Found] = []
        classes = [*scope.module.classes.values()]
        classes += [c for n in scope.module.imported if (c := self.klass(n, scope)) is not None]
        for klass in classes:
            fields = fields_of(klass)
            if name in fields and klass.node.name != "Problem":  # type: ignore[attr-defined]
                found += [(e, s) for e, s in self.made_with(klass, name)]
            for function in klass.module.functions.values():
                if function.above is klass and function.node.name == name:  # type: ignore[attr-defined]
                    for inner in function.own:
                        if isinstance(inner, ast.Return) and inner.value is not None:
                            found.append((inner.value, function))
        return found

    def made_with(self, klass: Scope, name: str) -> Iterator[Found]:
        """What the calls of a class give for a field."""
        fields = fields_of(klass)
        at = fields.index(name)
        for call, scope in self.calls.get(klass.node.name, []):  # type: ignore[attr-defined]
            by_name = next((k.value for k in call.keywords if k.arg == name), None)
            expr = by_name or (call.args[at] if at < len(call.args) else None)
            if expr is not None and self.klass(klass.node.name, scope) is klass:  # type: ignore[attr-defined]
                yield expr, scope


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def fields_of(klass: Scope) -> list[str]:
    """The fields that a dataclass or named tuple states, in order."""
    body = klass.node.body  # type: ignore[attr-defined]
    return [s.target.id for s in body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
