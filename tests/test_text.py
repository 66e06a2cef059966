"""Texts speak every language; templates insert values and can do little else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.errors import InputError
from sheetgen.schema import Name, Place, Reader
from sheetgen.source import parse
from sheetgen.text import TEMPLATE, TEXT, Text

VALUES = {"rolls": 25, "players": 2, "p2": 7}
HERE = Place("f", 3, 5, "x")


def template(words: str) -> Text:
    """Return words as a template."""
    return Text({"": words}, HERE, template=True)


def mistake(words: str) -> str:
    """Return why a template is refused, both when it is checked and when it is rendered."""
    (problem,) = template(words).problems(VALUES)
    with pytest.raises(InputError) as caught:
        template(words).render("en", VALUES)
    assert str(caught.value) == str(problem)
    return str(problem)


class TestLanguages:
    """A text is one for all languages, or one for each."""

    def test_one_for_all(self) -> None:
        """Words without languages are the same in every language."""
        text = Text({"": "Lost"}, HERE)
        assert text.plain("en") == text.plain("fr") == "Lost"

    def test_one_for_each(self) -> None:
        """Each language has its words."""
        text = Text({"en": "red", "fr": "rouge"}, HERE)
        assert (text.plain("en"), text.plain("fr")) == ("red", "rouge")

    def test_decode(self) -> None:
        """A text and a mapping of languages are both read as typed."""
        reader = Reader("f")
        node = parse(b"a: No\nb: {en: 010, de-CH: 'x'}", "f")
        one, many = (TEXT.decode(value, reader, key.value) for key, value in node.entries)
        assert one == Text({"": "No"}, Place("f", 1, 4, "a"))
        assert many.words == {"en": "010", "de-CH": "x"}
        assert not reader.problems

    @pytest.mark.parametrize("text", ["[a]", "{}", "{EN: x}", "{english: x}", "{en: [x]}", "~"])
    def test_no_text(self, text: str) -> None:
        """A list, nothing and a language that is none are refused."""
        reader = Reader("f")
        TEXT.decode(parse(f"a: {text}".encode(), "f").entries[0][1], reader, "a")
        assert len(reader.problems) == 1


class TestTemplates:
    """Where it is said so, ``{{ name }}`` inserts a value."""

    @pytest.mark.parametrize(
        ("words", "result"),
        [
            ("{{ rolls }} rolls", "25 rolls"),
            ("{{rolls}}", "25"),
            ("{{  rolls  }}\n", "25\n"),
            ("{{ p2 }}{{ players }}", "72"),
            ("{{ rolls + 1 }}", "26"),
            ("{{ rolls - players }}", "23"),
            ("{{ -rolls }}", "-25"),
            ("{{ 1 if players > 2 else 0 }}", "0"),
            ("{% if players == 2 %}two{% else %}more{% endif %}", "two"),
            ("{% if players > 2 or not rolls %}a{% elif p2 <= 7 and p2 %}b{% endif %}", "b"),
            ("{% raw %}{{ x }}{% endraw %}", "{{ x }}"),
            ("{x} }} %} {# {", "{x} }} %} {# {"),
            ("$", "$"),
        ],
    )
    def test_rendered(self, words: str, result: str) -> None:
        """Names, sums, comparisons and conditions are allowed; other braces print."""
        assert not template(words).problems(VALUES)
        assert template(words).render("en", VALUES) == result

    def test_not_a_template(self) -> None:
        """Other texts print their braces, whatever is in them."""
        text = Text({"": "{{ 1 / 0 }}"}, HERE)
        assert text.render("en", VALUES) == "{{ 1 / 0 }}"
        assert not text.problems(VALUES)

    def test_unknown_name(self) -> None:
        """A name without a value is refused with the nearest, in short and long templates."""
        allowed = "allowed are {{ rolls }}, {{ players }}, {{ p2 }}; did you mean rolls?"
        expected = f"f:3:5: x: template: unknown name 'rols', {allowed}"
        assert mistake("{{ rols }}") == expected
        assert mistake("{{ rols + 1 }}") == expected

    def test_place(self) -> None:
        """A problem stands at the words of its language."""
        reader = Reader("f")
        node = parse(b"a:\n  en: '{{ rolls }}'\n  fr: '{{ lancers }}'", "f").entries[0][1]
        (problem,) = TEMPLATE.decode(node, reader, "a").problems(VALUES)
        assert str(problem).startswith("f:3:7: a.fr: template: unknown name 'lancers'")

    @pytest.mark.parametrize(
        ("words", "refused"),
        [
            ("{{ rolls.__class__ }}", "'.'"),
            ("{{ rolls['x'] }}", "'[…]'"),
            ("{{ ''.join }}", "'.'"),
            ("{{ range(10**9) }}", "a call '(…)'"),
            ("{% for i in range(99999999) %}x{% endfor %}", "'for'"),
            ("{{ 'a' * 10**9 }}", "the operator '*'"),
            ("{{ 2**10**9 }}", "the operator '**'"),
            ("{{ rolls / 0 }}", "the operator '/'"),
            ("{{ rolls % 0 }}", "the operator '%'"),
            ("{{ rolls ~ rolls }}", "'~'"),
            ("{{ rolls|center(10**9) }}", "a filter '|'"),
            ("{{ rolls is odd }}", "a test 'is'"),
            ("{{ 1 in rolls }}", "'in'"),
            ("{{ [rolls] }}", "'list'"),
            ("{{ 'x' }}", "'x', which is no whole number,"),
            ("{{ 1.5 }}", "1.5, which is no whole number,"),
            ("{{ 1 if rolls }}", "'if' without 'else'"),
            ("{% set rolls = 1 %}", "'assign'"),
            ("{% macro a() %}{% endmacro %}", "'macro'"),
            ("{% include 'x' %}", "'include'"),
            ("{% import 'x' as x %}", "'import'"),
        ],
    )
    def test_refused(self, words: str, refused: str) -> None:
        """All else that Jinja2 can do is refused before it is run."""
        assert f"template: {refused} is not allowed, allowed are {{{{ rolls }}}}" in mistake(words)

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            ("{{ rolls", "unexpected end of template"),
            ("{{", "unexpected 'end of template'"),
            ("{% if %}", "Expected an expression"),
            ("{% if rolls %}", "Unexpected end of template"),
            ("{% trans %}", "Encountered unknown tag 'trans'"),
            ("{{ $ }}", "unexpected char '$'"),
            ("{{ a\n b }}", "expected token"),
        ],
    )
    def test_broken(self, words: str, reason: str) -> None:
        """A template that cannot be read is one problem in one line."""
        text = mistake(words)
        assert f"template: {reason}" in text
        assert "\n" not in text

    @pytest.mark.parametrize(
        "words",
        [
            "{{ " + "(" * 990 + "1" + ")" * 990 + " }}",
            "{{ " + "1+" * 990 + "1 }}",
            "{{ " + "not " * 490 + "1 }}",
            "{{ " + "-" * 1900 + "1 }}",
            "{% if rolls %}" * 70 + "{% endif %}" * 70,
        ],
        ids=["brackets", "sum", "not", "minus", "if"],
    )
    def test_deep(self, words: str) -> None:
        """What is nested deeper than any use has is refused, and quickly."""
        start = time.perf_counter()
        assert "template: nested too deep" in mistake(words)
        assert time.perf_counter() - start < 1

    @pytest.mark.parametrize("name", ["range", "dict", "cycler", "joiner", "namespace", "self"])
    def test_no_globals(self, name: str) -> None:
        """No name has a value but those that are given."""
        assert f"unknown name '{name}'" in mistake(f"{{{{ {name} }}}}")

    PIECES = st.lists(
        st.sampled_from(
            [
                *("{{", "}}", "{%", "%}", "{{ rolls }}", "{% if p2 %}", "{% endif %}", "rolls"),
                *("if", "else", "not", "for", "in", "and", "1", "+", "-", "(", ")", " ", "<"),
                *("'", "x", "{", "|", "#", "\n"),
            ]
        ),
        max_size=14,
    ).map(" ".join)

    @given(PIECES)
    @settings(max_examples=300, deadline=None)
    def test_any(self, words: str) -> None:
        """A template without a problem is rendered; one with a problem is refused with it."""
        problems = [str(problem) for problem in template(words).problems(VALUES)]
        refused = []
        try:
            assert len(template(words).render("en", VALUES)) <= len(words) + 50
        except InputError as error:
            refused = [str(problem) for problem in error.problems]
        assert refused == problems

    @given(st.text(st.characters(exclude_characters="{"), max_size=40))
    @settings(deadline=None)
    def test_plain_words(self, words: str) -> None:
        """Words without an opening brace print as typed."""
        assert template(words).render("en", VALUES) == words

    def test_name_knows_its_place(self) -> None:
        """Words that carry a place are reported there."""
        place = Place("f", 9, 9, "y")
        text = Text({"en": Name("{{ x }}", place)}, HERE, template=True)
        assert [(problem.line, problem.where) for problem in text.problems([])] == [(9, "y")]
        assert "allowed are no names" in str(text.problems([])[0])
