package dev.medley.training.worker;

import dev.medley.inference.metric.Evaluation;
import dev.medley.net.control.Message;
import dev.medley.net.membership.View;
import dev.medley.training.bucket.Tail;
import dev.medley.training.loop.StepFigures;
import dev.medley.training.loop.TrainingLoop;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.resize.ResizeWatch;
import dev.medley.worker.WorkerSession;
import org.jspecify.annotations.Nullable;

/**
 * Does what is due between steps: reports, keeps, and passes on the coordinator's wish to pause.
 */
final class BorderDuties implements TrainingLoop.Hooks {
    private final View view;
    private final WorkerSession session;
    private final Keeping keeping;
    private final StepReports reports;
    private final WorkerState state;
    private final @Nullable ResizeWatch resizes;

    BorderDuties(
            View view,
            WorkerSession session,
            Keeping keeping,
            StepReports reports,
            WorkerState state,
            @Nullable ResizeWatch resizes) {
        this.view = view;
        this.session = session;
        this.keeping = keeping;
        this.reports = reports;
        this.state = state;
        this.resizes = resizes;
    }

    @Override
    public int wishes() {
        int wishes = session.isPauseWanted(view.group().epoch()) ? Tail.bit(Tail.Wish.PAUSE) : 0;
        return keeping.isTimeUp() ? wishes | Tail.bit(Tail.Wish.TIME_IS_UP) : wishes;
    }

    @Override
    public void stepped(StepFigures figures) {
        reports.add(figures);
        String hash = state.schedule().isHashed(figures.step()) ? state.parameterHash() : null;
        if (hash != null) {
            int epoch = view.group().epoch();
            session.say(new Message.Hashed(epoch, figures.step(), hash));
        }
    }

    @Override
    public void precisionRaised(long step) {
        keeping.precisionRaised(step);
    }

    @Override
    public void evaluated(Evaluation evaluation, long durationNs) {
        keeping.evaluated(evaluation, durationNs);
    }

    @Override
    public void atBorder() {
        keeping.atBorder();
        Message.Resized resized = resizes == null ? null : resizes.look();
        if (resized != null) {
            session.say(resized);
        }
    }
}
