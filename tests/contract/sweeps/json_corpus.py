"""JSON as parsers have got it wrong, in the spirit of the public test suites: values in the place of a member.

`WELL_FORMED` must be read, `MALFORMED` must be refused, and of `DEBATABLE` only that nothing may fail on it.
"""

WELL_FORMED = [
    b"[]", b"[[]   ]", b'[""]', b"[false]", b"[null]", b"[1,null,null,null,2]", b"[1\n]", b" [1]", b"[2] ", b"[1 ]",
    b"{}", b'{"":0}', b'{"a":"b","a":"c"}', b'{"a":"b","a":"b"}', b'{"a":[]}', b'{"min": -1.0e+28, "max": 1.0e+28}',
    b'{\n"a": "b"\n}', b'{"asd":"sdf", "dfg":"fgh"}', b"123", b"0e+1", b"0e1", b" 4", b"-0", b"-0.0",
    b"-0.000000000000000000000000000000000000000000000000000000000000000000000000000001", b"20e1", b"123e45", b"123e65",
    b"-123", b"-1", b"1E22", b"1E-2", b"1E+2", b"123.456e78", b"123.456789", b"1e-400", b"9007199254740993",
    b"18446744073709551615", b"18446744073709551616", b"-9223372036854775808", b"-9223372036854775809", b"1.5e308",
    b"5e-324", b'"\\u0060\\u012a\\u12AB"', b'"\\uD801\\udc37"', b'"\\ud83d\\ude39\\ud83d\\udc8d"',
    b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', b'"\\\\u0000"', b'"\\""', b'"a/*b*/c/*d//e"', b'"\\\\a"', b'"\\\\n"', b'"\\u0012"',
    b'"\\uFFFF"', b'"asd"', b'"\xf4\x8f\xbf\xbf"', b'"\xef\xbf\xbf"', b'"\\u002c"', b'"\xcf\x80"', b'"\xe2\x80\xa8"',
    b'"\xe2\x80\xa9"', b'" "', b'"\\uDBFF\\uDFFF"', b'"new\\u00A0line"', b'"\\u200B"', b'"\\u2064"', b'"\\uFDD0"',
    b'"\\uFFFE"', b'"\\u0022"', b'"\xe2\x82\xac\xf0\x9d\x84\x9e"', b'"a\x7fa"', b"false", b"true", b"null", b'""',
]  # fmt: skip

MALFORMED = [
    b"[1 true]", b"[a\xe5]", b'["": 1]', b'[""],', b"[,1]", b"[1,,2]", b'["x",,]', b'["x"]]', b'["",]', b'["x"',
    b"[x", b"[3[4]]", b"[\xff]", b"[1:2]", b"[,]", b"[-]", b'[   , ""]', b'["a",\n4\n,1,', b"[1,]", b"[1,\n1\n,1",
    b'["\x0ba"\\f]', b"[*]", b'[""', b"[1,", b"[{}", b"[fals]", b"[nul]", b"[tru]", b"++1234", b"+1", b"+Inf", b"-01",
    b"-1.0.", b"-2.", b"-NaN", b".-1", b".2e-3", b"0.1.2", b"0.3e+", b"0.3e", b"0.e1", b"0_1", b"0e+", b"0e", b"0E+",
    b"0E", b"1.0e+", b"1.0e-", b"1.0e", b"1 000.0", b"1eE2", b"2.e+3", b"2.e-3", b"2.e3", b"9.e+", b"Inf", b"NaN",
    b"\xef\xbc\x91", b"1+2", b"0x1", b"0x42", b"Infinity", b"0e+-1", b"-123.123foo", b"123\xe5", b"1e1\xe5", b"0\xe5",
    b"-Infinity", b"-foo", b"- 1", b"-012", b"-.123", b"-1x", b"1ea", b"1e\xe5", b"1.", b".123", b"1.2a-3",
    b"1.8011670033376514H-308", b"012", b'["x", truth]', b'{"a":', b'{"x", null}', b'{"x"::"b"}', b"{\xf0\x9f\x87\xa8}",
    b'{"a":"a" 123}', b"{key: 'value'}", b'{"a" b}', b'{:"b"}', b'{"a" "b"}', b"{1:1}", b"{9999E9999:1}",
    b"{null:null,null:null}", b'{"id":0,,,,,}', b"{'a':0}", b'{"id":0,}', b'{"a":"b"}/**/', b'{"a":"b"}//',
    b'{"a":"b"}/', b'{"a":"b",,"c":"d"}', b'{a: "b"}', b'{"a":"a', b'{ "foo" : "bar", "a" }', b'{"a":"b"}#', b" ",
    b'"\\uD800\\"', b'"\\uD800\\u"', b'"\\uD800\\u1"', b'"\\uD800\\u1x"', b"\xc3\xa9", b'"\\\x00"', b'"\\\\\\"',
    b'"\\x00"', b'"\\\t"', b'"\\\xf0\x9f\x8c\x80"', b'"\\"', b'"\\u00A"', b'"\\uD834\\uDd"', b'"\\uD800\\uD800\\x"',
    b'"\\u\xe5"', b'"\\a"', b'"\\uqqqq"', b'"\\\xe5"', b"\\u0020", b'"', b"'single quote'", b"abc", b'"\\', b'"a\x00a"',
    b'"new\nline"', b'"\t"', b'"\\UA66D"', b"<.>", b"<null>", b"[1]x", b"[1]]", b'"asd]', b"True", b"1]",
    b'{"x": true,',
    b"[][]", b"]", b"\xef\xbb\xbf{}x", b"2@", b"{}}", b'{"":', b'{"a":/*comment*/"b"}', b'{"a": true} "x"', b"['",
    b'[{"":' * 400, b"[" * 5000, b"{,", b"{[", b'{"a', b"{'a'", b'["\\{["\\{["\\{["\\{', b"*", b"[\xe2\x81\xa0]",
    b"\xc2\xa0", b"\x0c[]", b"[\x0c]", b"undefined", b"[1]\x00", b"\x00", b"/**/1", b"1;", b"0b1", b"0o7", b"1n",
]  # fmt: skip

DEBATABLE = [
    b"123.456e-789",
    b"0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999969999999006",
    b"-1e+9999", b"1.5e+9999", b"-123123e100000", b"123123e100000", b"9" * 400, b"-" + b"9" * 400, b"0." + b"9" * 5000,
    b'"\\uDADA"', b'"\\uD888\\u1234"', b'"\\uD800\\n"', b'"\\uDd1ea"', b'"\\uD800\\uD800"', b'"\\ud800"',
    b'"\\ud800abc"',
    b'"\xe6\x97\xa5\xd1\x88\xfa"', b'"\\uDd1e\\uD834"', b'"\\uDFAA"', b'"\xff"', b'"\xc0\xaf"', b'"\xe0\xff"',
    b'"\xed\xa0\x80"', b'"\xf4\xbf\xbf\xbf"', b'"\xfc\x83\xbf\xbf\xbf\xbf"', b'"\xfc\x80\x80\x80\x80\x80"', b'"\x81"',
    b"[" * 500 + b"]" * 500, b'{"a":' * 31 + b"1" + b"}" * 31, b'{"a":' * 40 + b"1" + b"}" * 40, b'"\\u0000"',
    b'{"\\u0000": 1}', b'{"\\ud800": 1}', b'"' + b"x" * 900_000 + b'"', b"[" + b"1," * 100_000 + b"1]",
    b"\xef\xbb\xbf{}", '"é"'.encode("utf-16-le"), '"é"'.encode("utf-16-be"), '"é"'.encode("latin-1"),
]  # fmt: skip
