package dev.medley.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that packages stay small enough to be read, and that a name means one type. */
@Tag("unit")
class RoomsTest {
    private static final int TYPES_AT_MOST = 20;

    private static final List<JavaSource> MAIN =
            JavaSource.all().stream()
                    .filter(source -> !source.isTest())
                    .filter(source -> !source.simpleName().equals("package-info"))
                    .filter(source -> !source.at(1).matches("(examples|benchmarks)/.*"))
                    .toList();

    @Test
    void shouldKeepPackagesSmall() {
        Map<String, Integer> types = new TreeMap<>();
        for (JavaSource source : MAIN) {
            types.merge(folder(source), 1, Integer::sum);
        }
        List<String> found = new ArrayList<>();
        types.forEach(
                (folder, count) -> {
                    if (count > TYPES_AT_MOST) {
                        found.add(
                                "%s has %d types, more than %d: cut it where the fewest arrows are"
                                        .formatted(folder, count, TYPES_AT_MOST));
                    }
                });
        assertThat(types).hasSizeGreaterThan(80);
        assertThat(found).isEmpty();
    }

    @Test
    void shouldGiveNoNameTwice() {
        Map<String, String> folders = new TreeMap<>();
        List<String> found = new ArrayList<>();
        for (JavaSource source : MAIN) {
            String other = folders.put(source.simpleName(), folder(source));
            if (other != null) {
                found.add(
                        "%s: %s is in %s, too: rename the one that fewer know"
                                .formatted(source.at(1), source.simpleName(), other));
            }
        }
        assertThat(found).isEmpty();
    }

    private static String folder(JavaSource source) {
        String at = source.at(1);
        return at.substring(0, at.lastIndexOf('/'));
    }
}
