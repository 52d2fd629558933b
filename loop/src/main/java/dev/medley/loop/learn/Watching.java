package dev.medley.loop.learn;

import java.nio.file.Path;

/**
 * Remembers where the watch over a model stands.
 *
 * @param version of the model
 * @param run the last run that looked
 * @param seen the file that says which rows there were then
 * @param state the file of the watch
 */
record Watching(int version, long run, Path seen, Path state) {
    /** What it is remembered under. */
    static final String FACT = "watching";
}
