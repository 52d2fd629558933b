package dev.medley.loop.learn;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Remembers which rows have arrived since a model was trained, run by run.
 *
 * @param version of the model
 * @param run the last run that looked
 * @param seen the file that says which rows there were then
 * @param windows files of rows, one a run, the oldest first
 */
record Arrived(int version, long run, Path seen, List<Path> windows) {
    /** What it is remembered under. */
    static final String FACT = "arrived";

    Arrived {
        windows = List.copyOf(windows);
    }

    /** The same after another run, with its window. */
    Arrived after(long next, Path nowSeen, Path window) {
        List<Path> all = new ArrayList<>(windows);
        all.add(window);
        return new Arrived(version, next, nowSeen, all);
    }
}
