package dev.medley.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks how headers of types and packages begin: whoever opens a file reads them first. */
@Tag("unit")
class HeadersTest {
    private static final int WORDS_AT_MOST = 25;

    /** No header has its subject or its verb after one of these. */
    private static final Set<String> FIRST_WORDS =
            Set.of(
                    "What", "How", "Which", "Who", "Whose", "Whom", "Where", "When", "Whether",
                    "Why", "That", "Through", "Of", "By", "In", "On", "With", "From", "As", "To",
                    "For", "Is", "Are", "All", "Those", "Some", "Same");

    private static final Pattern END = Pattern.compile("[.:;](\\s|$)");

    @Test
    void shouldBeginWithWhatTheTypeDoesOrIs() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : JavaSource.all()) {
            if (source.isTest()) {
                continue;
            }
            String header = header(source);
            String first = header.split("[\\s,:.]", 2)[0];
            if (FIRST_WORDS.contains(first)) {
                found.add(
                        source.at(1)
                                + ": its header begins with '"
                                + first
                                + "': begin with what it does (Chooses, Holds) or with the noun"
                                + " that it is");
            }
            int words = END.split(header, 2)[0].trim().split("\\s+").length;
            if (words > WORDS_AT_MOST) {
                found.add(
                        "%s: the first sentence of its header has %d words, more than %d: make two"
                                .formatted(source.at(1), words, WORDS_AT_MOST));
            }
        }
        assertThat(found).isEmpty();
    }

    /** Of the type that the file is named by, or of the package. */
    private static String header(JavaSource source) {
        if (source.simpleName().equals("package-info")) {
            String text = String.join(" ", source.lines());
            int begin = text.indexOf("/**");
            int end = text.indexOf("*/");
            return begin < 0
                    ? ""
                    : text.substring(begin + 3, end).replaceAll("\\s\\*\\s", " ").strip();
        }
        return source.types().stream()
                .filter(type -> type.name().equals(source.simpleName()))
                .map(JavaSource.Type::comment)
                .findFirst()
                .orElse("")
                .strip();
    }
}
