package dev.medley.api.run;

import dev.medley.base.job.JobSpec;
import dev.medley.data.dataset.PreparedData;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import org.jspecify.annotations.Nullable;

/**
 * Watches a run from its first preparation: the terminal, a program's own display, a user's
 * callback. Called on the coordinating thread; an implementation returns soon.
 */
public interface RunProgress {
    /** Watches nothing. */
    RunProgress NONE = new RunProgress() {};

    /** The data is being prepared; {@code total} is 0 while it is not known. */
    default void preparing(String phase, long done, long total) {}

    /** The data is ready. */
    default void prepared(PreparedData data) {}

    /** Live figures are served there, and the run's page, if that is not null. */
    default void serving(String figures, @Nullable String page) {}

    /** The run has its folder; workers are about to start. */
    default void began(RunFolder folder) {}

    /**
     * A strategy that stood open in the job was chosen, or changed; the job as it is trained from
     * here on.
     */
    default void decided(JobSpec job) {}

    /** A step was applied. */
    default void stepped(StepRecord step) {}

    /** The validation samples were evaluated. */
    default void evaluated(EvaluationRecord evaluation) {}

    /** Something else happened. */
    default void happened(RunEvent event) {}

    /** What may be interrupted from now on; see {@link Interruptible#interrupt}. */
    default void interruptible(Interruptible run) {}

    /** Hands everything on to another view: for what notes a part of it besides. */
    class HandedOn implements RunProgress {
        private final RunProgress view;

        /** To that view. */
        protected HandedOn(RunProgress view) {
            this.view = view;
        }

        @Override
        public void preparing(String phase, long done, long total) {
            view.preparing(phase, done, total);
        }

        @Override
        public void prepared(PreparedData data) {
            view.prepared(data);
        }

        @Override
        public void serving(String figures, @Nullable String page) {
            view.serving(figures, page);
        }

        @Override
        public void began(RunFolder folder) {
            view.began(folder);
        }

        @Override
        public void decided(JobSpec job) {
            view.decided(job);
        }

        @Override
        public void stepped(StepRecord step) {
            view.stepped(step);
        }

        @Override
        public void evaluated(EvaluationRecord evaluation) {
            view.evaluated(evaluation);
        }

        @Override
        public void happened(RunEvent event) {
            view.happened(event);
        }

        @Override
        public void interruptible(Interruptible run) {
            view.interruptible(run);
        }
    }

    /** A run that can be asked to end. */
    interface Interruptible {
        /** Once: after the step under way, with a checkpoint. Twice: at once. From any thread. */
        void interrupt();
    }
}
