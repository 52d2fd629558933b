package dev.medley.cli.serving;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/** Changes bodies: bytes, pieces, and words that readers trip over. */
final class Mutations {
    private static final List<String> WORDS =
            List.of(
                    "null",
                    "NaN",
                    "-Infinity",
                    "1e400",
                    "-1",
                    "0",
                    "9223372036854775807",
                    "9223372036854775808",
                    "1e-320",
                    "true",
                    "\"\"",
                    "\"\\u0000\"",
                    "\"\\ud800\"",
                    "{}",
                    "[]",
                    "[[[[[[[[[[[[[[[[[[[[",
                    "{\"a\":{\"a\":{\"a\":",
                    ",",
                    ":",
                    "\"",
                    "\\",
                    "\n",
                    "\r\n",
                    "\0",
                    "\uFEFF",
                    "\uFFFF",
                    "it's; DROP TABLE x; --",
                    "../../../../etc/passwd",
                    "2024-02-30",
                    "24:61",
                    "1,000,000",
                    "0x10",
                    "a".repeat(3000),
                    "9".repeat(500),
                    " ".repeat(2000));

    /** Words that leave JSON whole. */
    private static final List<String> VALUES =
            WORDS.stream()
                    .filter(
                            word ->
                                    word.matches(
                                            "null|NaN|-Infinity|true|-?[0-9].*|\".+\"|\\{}|\\[]"))
                    .toList();

    private Mutations() {}

    /** {@code body} with one to five changes; {@code other} gives pieces. */
    static byte[] of(byte[] body, byte[] other, RandomGenerator random) {
        byte[] changed = body;
        int changes = random.nextInt(5) < 3 ? 1 : 1 + random.nextInt(5);
        for (int i = 0; i < changes; i++) {
            changed = one(changed, other, random);
        }
        return changed;
    }

    private static byte[] one(byte[] body, byte[] other, RandomGenerator random) {
        int from = random.nextInt(body.length + 1);
        if (random.nextInt(2) == 0) { // What a reader gets past more often.
            int[] token = token(body, from);
            return spliced(
                    body, token[0], token[1], utf8(VALUES.get(random.nextInt(VALUES.size()))));
        }
        int to = Math.min(body.length, from + random.nextInt(random.nextInt(3) == 0 ? 60 : 5));
        return switch (random.nextInt(7)) {
            case 0 -> spliced(body, from, to, new byte[0]);
            case 1 -> flipped(body, random);
            case 2, 3 -> {
                byte[] word = utf8(WORDS.get(random.nextInt(WORDS.size())));
                int[] token = token(body, from);
                yield random.nextBoolean()
                        ? spliced(body, from, to, word)
                        : spliced(body, token[0], token[1], word);
            }
            case 4 -> {
                int at = random.nextInt(other.length + 1);
                int end = Math.min(other.length, at + random.nextInt(40));
                yield spliced(body, from, to, java.util.Arrays.copyOfRange(other, at, end));
            }
            case 5 -> spliced(body, from, from, java.util.Arrays.copyOfRange(body, from, to));
            default ->
                    random.nextInt(4) == 0
                            ? spliced(body, from, body.length, new byte[0])
                            : flipped(body, random);
        };
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A number or a text around a place. */
    private static int[] token(byte[] body, int at) {
        int from = at;
        while (from > 0 && isOfToken(body[from - 1])) {
            from--;
        }
        int to = at;
        while (to < body.length && isOfToken(body[to])) {
            to++;
        }
        return new int[] {from, to};
    }

    private static boolean isOfToken(byte each) {
        return ",:[]{}\n".indexOf(each) < 0;
    }

    private static byte[] flipped(byte[] body, RandomGenerator random) {
        byte[] changed = body.clone();
        if (changed.length > 0) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        return changed;
    }

    private static byte[] spliced(byte[] body, int from, int to, byte[] piece) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(body, 0, from);
        out.writeBytes(piece);
        out.write(body, to, body.length - to);
        return out.toByteArray();
    }
}
