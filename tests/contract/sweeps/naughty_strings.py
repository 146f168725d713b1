"""Strings that have broken software before, in the manner of the public lists, by their subject."""

_CONFUSED_WITH_VALUES = [
    "undefined", "undef", "null", "NULL", "(null)", "nil", "NIL", "None", "true", "false", "NaN", "Infinity",
    "-Infinity", "hasOwnProperty", "__proto__", "constructor", "__init__", "then", "\\", "\\\\", "0", "1", "1.00",
    "$1.00", "1/2", "1E2", "-1", "1/0", "0/0", "-2147483648/-1", "-9223372036854775808/-1", "0x0", "0xffffffff",
    "0xabad1dea", "123456789012345678901234567890123456789", "1,000.00", "1 000.00", "1'000.00", "01000", "08", "09",
    "2.2250738585072011e-308", "1e999", "-1e999", "1e-999", "0.0.0", "--1", "+1", "٣", "１２３",
]  # fmt: skip
_PUNCTUATION = [
    ",./;'[]\\-=", '<>?:"{}|_+', "!@#$%^&*()`~", "''", '""', "'\"'", "`", "%", "%%", "_", "\\0", "\\x00", "\\u0000",
    "&amp;", "&#0;", "&#x00;", "<![CDATA[", "]]>", "--", "#", "//", "/*", "*/", ";", "|", "$", "$$", "{}", "{{}}",
]  # fmt: skip
_WHITE_AND_INVISIBLE = [
    "\t", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x1f", " ", "\x85", "\xa0", "\xad", "\u034f", "\u061c", "\u115f",
    "\u1680", "\u180e", "\u2000", "\u200b", "\u200c", "\u200d", "\u200e", "\u2028", "\u2029", "\u202e", "\u2060",
    "\u2066", "\u3000", "\u3164", "\ufeff", "\ufffe", "\uffff", "\ufffd", "\U000e0001", "\U0010ffff", "\x7f", "\x01",
    "\x00", "a\x00b", "\x08", "\x1b[31mred\x1b[0m", "\x9b31m", "\u0602\u06dd\u070f", "a\r\nSet-Cookie: b=c",
]  # fmt: skip
_LETTERS = [
    "Ω≈ç√∫˜µ≤≥÷", "åß∂ƒ©˙∆˚¬…æ", "œ∑´®†¥¨ˆøπ“‘", "ЁЂЃЄЅІЇЈЉЊ", "٠١٢٣٤٥٦٧٨٩", "田中さんにあげて下さい", "사회과학원",
    "𠜎𠜱𠝹𠱓", "Ⱥ", "Ⱦ", "ẞ", "ŉ", "ΐ", "ﬃ", "İstanbul", "ıi", "Å", "A\u030a", "ﷺ", "ﷺ" * 200, "הָיְתָהtestالصفحات",
    "بسم الله", "᚛ᚄᚓᚐᚋᚒᚄ᚜", "T\u0353\u0300\u0301o\u0334\u035b\u0317 i\u0318\u0345nvoke", "e" + "\u0301" * 500,
    "👩🏽", "👨‍👩‍👧‍👦", "🇺🇸🇷🇺", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "❤️ 💔", "✋🏿", "0️⃣1️⃣",
    "ʇɐ ǝɹolop",
    "Ｔｈｅ ｑｕｉｃｋ", "𝐓𝐡𝐞 𝐪𝐮𝐢𝐜𝐤", "⒯⒣⒠", "ﾟ･✿ヾ╲(｡◕‿◕｡)╱✿･ﾟ", "(╯°□°）╯︵ ┻━┻", "జ్ఞ‌ా", "گچپژ",
    "Power لُلُصّبُلُلصّبُررً ॣ ॣh ॣ ॣ 冗",
]  # fmt: skip
_INJECTIONS = [
    "'; DROP TABLE users; --", "1;DROP TABLE users", "1' OR '1'='1", "' OR 1=1 -- 1", "'\u02bc OR 1=1", "%' AND 1=1 --",
    "$$; SELECT pg_sleep(9); --", "E'\\x27'", "{1,2}", "(1,2)", "[1,2)", "::text", "\\copy",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "<svg/onload=alert(1)>", "{{7*7}}", "${7*7}", "<%= 7 %>",
    "#{7*7}", "{0}", "{a}", "%s%s%s%n", "%d", "%(a)s", "%*.*s", "$HOME", "$(touch /tmp/blns)", "`touch /tmp/blns`",
    "; ls -l", "| cat /etc/passwd", "& dir", "../../../../etc/passwd", "/dev/null", "file:///etc/passwd", "C:\\CON",
    "CON", "PRN", "LPT1", "%2e%2e%2f", "..;/", "\\\\server\\share",
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>',
    "(a=*)(uid=*))", "*)(objectClass=*", "__import__('os').system('true')", "eval(1)", "System.exit(0)", "@everyone",
    "+1+cmd|' /C calc'!A0", "=1+1", "If-Match", "Bearer x", "obk_api_x", "obk_sk_x", "a\nb: c", "Craig Cockburn",
]  # fmt: skip

NAUGHTY_STRINGS = [
    *_CONFUSED_WITH_VALUES, *_PUNCTUATION, *_WHITE_AND_INVISIBLE, *_LETTERS, *_INJECTIONS, "x" * 10_000,
]  # fmt: skip
