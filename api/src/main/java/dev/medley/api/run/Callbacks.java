package dev.medley.api.run;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.custom.UserClass;
import dev.medley.base.job.JobSpec;
import dev.medley.data.dataset.PreparedData;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a job's callbacks, which hear what a run does beside its own watcher. */
final class Callbacks {
    private Callbacks() {}

    /** The given watcher, then the callbacks of {@code job}: each is a {@link RunProgress}. */
    static RunProgress with(JobSpec job, RunProgress progress) {
        List<RunProgress> all = new ArrayList<>(List.of(progress));
        for (ClassSpec callback : job.train().callbacks()) {
            all.add(UserClass.create(callback, RunProgress.class, "train.callbacks"));
        }
        return all.size() == 1 ? progress : new Several(all);
    }

    /** Watchers in order. */
    private record Several(List<RunProgress> watchers) implements RunProgress {
        @Override
        public void decided(JobSpec job) {
            each(w -> w.decided(job));
        }

        @Override
        public void preparing(String phase, long done, long total) {
            each(w -> w.preparing(phase, done, total));
        }

        @Override
        public void prepared(PreparedData data) {
            each(w -> w.prepared(data));
        }

        @Override
        public void serving(String figures, @Nullable String page) {
            each(w -> w.serving(figures, page));
        }

        @Override
        public void began(RunFolder folder) {
            each(w -> w.began(folder));
        }

        @Override
        public void stepped(StepRecord step) {
            each(w -> w.stepped(step));
        }

        @Override
        public void evaluated(EvaluationRecord evaluation) {
            each(w -> w.evaluated(evaluation));
        }

        @Override
        public void happened(RunEvent event) {
            each(w -> w.happened(event));
        }

        @Override
        public void interruptible(Interruptible run) {
            each(w -> w.interruptible(run));
        }

        private void each(Consumer<RunProgress> call) {
            watchers.forEach(call);
        }
    }
}
