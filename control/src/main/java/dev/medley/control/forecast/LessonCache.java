package dev.medley.control.forecast;

import dev.medley.base.Json;
import dev.medley.profile.KeptFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a user's jobs learnt under the strategies that they ran with, kept in a folder of the user
 * ({@link KeptFolder}): a file for each job, with a run of each strategy and seed, the latest
 * {@value #MOST_RUNS} of them.
 *
 * <p>Thread: any.
 */
public final class LessonCache {
    private static final int FORMAT = 1;
    private static final int MOST_RUNS = 24;

    private final KeptFolder kept;

    /**
     * A file.
     *
     * @param format of this file
     * @param job what was learnt, in the words of whoever kept it
     */
    record Kept(int format, String job, List<Lesson> lessons) {
        Kept {
            Objects.requireNonNull(job);
            lessons = List.copyOf(lessons);
        }
    }

    /** Kept in {@code folder}, which need not be there. */
    public LessonCache(Path folder) {
        this.kept = new KeptFolder(folder, "learning curves");
    }

    /** The runs of a job, in order of their ends. */
    public List<Lesson> find(String job) {
        List<Lesson> found =
                kept.find(
                        job,
                        file -> {
                            Kept read = Json.parse(file, Kept.class);
                            boolean isMeant = read.format() == FORMAT && read.job().equals(job);
                            return isMeant ? read.lessons() : null;
                        });
        return found == null ? List.of() : found;
    }

    /** Keeps a run, in place of one of the same strategy and seed. */
    public void keep(String job, Lesson lesson) {
        List<Lesson> all = new ArrayList<>(find(job));
        all.removeIf(lesson::isAgain);
        all.add(lesson);
        List<Lesson> latest = all.subList(Math.max(0, all.size() - MOST_RUNS), all.size());
        kept.keep(job, Json.pretty(new Kept(FORMAT, job, latest)));
    }
}
