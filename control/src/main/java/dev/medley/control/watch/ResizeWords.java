package dev.medley.control.watch;

import dev.medley.base.text.Units;
import dev.medley.net.control.Message.Granted;
import dev.medley.net.control.Message.Resized;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says what a worker's machine grants it in place of what it granted before. */
public final class ResizeWords {
    private ResizeWords() {}

    /** {@code 4 cores in place of 2: 4 threads in place of 2 from the next group on}. */
    public static String of(Resized resized) {
        Granted before = resized.before();
        Granted now = resized.now();
        List<String> words = new ArrayList<>();
        if (now.cores() != before.cores()) {
            words.add(
                    "%s in place of %s"
                            .formatted(count(now.cores(), "core"), number(before.cores())));
        }
        if (now.memoryBytes() != before.memoryBytes()) {
            words.add("%s in place of %s".formatted(memory(now), memory(before)));
        }
        String granted = String.join(" and ", words);
        return now.threads() == before.threads()
                ? granted
                : "%s: %s in place of %d from the next group on"
                        .formatted(granted, count(now.threads(), "thread"), before.threads());
    }

    private static String count(double of, String what) {
        return number(of) + " " + what + (of == 1 ? "" : "s");
    }

    private static String number(double of) {
        return of == Math.rint(of)
                ? Long.toString((long) of)
                : String.format(Locale.ROOT, "%.2f", of);
    }

    private static String memory(Granted granted) {
        return granted.memoryBytes() == Long.MAX_VALUE
                ? "all memory"
                : Units.bytes((double) granted.memoryBytes()) + " of memory";
    }
}
