package dev.medley.tenant.door;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decodes the parts of a request's target exactly once, and encodes them as signatures have it (RFC
 * 3986, capital digits).
 */
final class UriText {
    private static final String UNRESERVED = "-._~";
    private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();

    private UriText() {}

    /** A parameter of the query, decoded. */
    record Parameter(String name, String value) {}

    /** A path without its escapes; {@code ..} is a name as any other. */
    static String path(String encoded) {
        return decoded(encoded, '+');
    }

    /** The parameters in their order. */
    static List<Parameter> query(String encoded) {
        List<Parameter> all = new ArrayList<>();
        if (!encoded.isEmpty()) {
            for (String each : encoded.split("&", -1)) {
                int equals = each.indexOf('=');
                all.add(
                        new Parameter(
                                decoded(equals < 0 ? each : each.substring(0, equals), ' '),
                                equals < 0 ? "" : decoded(each.substring(equals + 1), ' ')));
            }
        }
        return all;
    }

    private static String decoded(String encoded, char plus) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                int high =
                        i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 1), 16) : -1;
                int low =
                        i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw DoorFailure.badRequest(
                            "the address has a % that two digits do not follow");
                }
                bytes.write(high << 4 | low);
                i += 2;
            } else {
                byte[] own = String.valueOf(c == '+' ? plus : c).getBytes(StandardCharsets.UTF_8);
                bytes.writeBytes(own);
            }
        }
        try {
            String text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes.toByteArray()))
                            .toString();
            if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw DoorFailure.badRequest("the address has a control character");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw DoorFailure.badRequest("the address is not UTF-8");
        }
    }

    /** As signatures have a path: slashes stay. */
    static String encodedPath(String text) {
        return encoded(text, "/");
    }

    /** As signatures have a query: sorted by name, then value. */
    static String encodedQuery(List<Parameter> parameters) {
        List<String> all = new ArrayList<>();
        parameters.stream()
                .map(each -> new Parameter(encoded(each.name(), ""), encoded(each.value(), "")))
                .sorted(Comparator.comparing(Parameter::name).thenComparing(Parameter::value))
                .forEach(each -> all.add(each.name() + "=" + each.value()));
        return String.join("&", all);
    }

    static String encoded(String text) {
        return encoded(text, "");
    }

    private static String encoded(String text, String kept) {
        StringBuilder encoded = new StringBuilder(text.length() + 8);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean isPlain =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || UNRESERVED.indexOf(c) >= 0
                            || kept.indexOf(c) >= 0;
            if (isPlain) {
                encoded.append(c);
            } else {
                encoded.append('%').append(DIGITS[c >> 4]).append(DIGITS[c & 15]);
            }
        }
        return encoded.toString();
    }
}
