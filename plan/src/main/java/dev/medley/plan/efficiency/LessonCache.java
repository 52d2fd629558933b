package dev.medley.plan.efficiency;

import dev.medley.base.Json;
import dev.medley.profile.KeptFolder;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps how a user's jobs learnt under the strategies that they ran with, in a folder of the user
 * ({@link KeptFolder}). There is a file for each job, strategy, number of workers and seed.
 *
 * <p>Thread: any.
 */
public final class LessonCache {
    private static final int FORMAT = 1;

    private final KeptFolder kept;

    /**
     * A file.
     *
     * @param format of this file
     * @param job what was learnt, in the words of whoever kept it
     */
    record Kept(int format, String job, Lesson lesson) {
        Kept {
            Objects.requireNonNull(job);
            Objects.requireNonNull(lesson);
        }
    }

    /** Kept in {@code folder}, which need not be there. */
    public LessonCache(Path folder) {
        this.kept = new KeptFolder(folder, "learning curves");
    }

    /** The runs of a job, in order of their ends. */
    public List<Lesson> find(String job) {
        return kept.all(job, file -> lesson(file, job)).stream()
                .sorted(Comparator.comparingLong(Lesson::wallMillis))
                .toList();
    }

    /** Keeps a run, unless a longer one of the same strategy, workers and seed is there. */
    public void keep(String job, Lesson lesson) {
        String key = key(lesson);
        Lesson before = kept.find(job, key, file -> lesson(file, job));
        if (before == null || !before.isLongerThan(lesson)) {
            kept.keep(job, key, Json.pretty(new Kept(FORMAT, job, lesson)));
        }
    }

    private static @Nullable Lesson lesson(byte[] file, String job) {
        Kept read = Json.parse(file, Kept.class);
        return read.format() == FORMAT && read.job().equals(job) ? read.lesson() : null;
    }

    private static String key(Lesson lesson) {
        return "%s by %d, seed %d"
                .formatted(Json.line(lesson.strategy()), lesson.workers(), lesson.seed());
    }
}
