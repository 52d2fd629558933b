package dev.medley.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.base.job.JobSpec;
import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TrainViewTest {
    private static final JobSpec JOB =
            JobFile.parse(
                            "j.yaml",
                            "data: a.csv\nmodel: mlp\ntrain: {steps: 100}\n",
                            Path.of("/"),
                            List.of())
                    .spec();

    private final StringWriter err = new StringWriter();

    private Terminal terminal(Screen screen) {
        return new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), screen);
    }

    private static StepRecord step(long step, long wallMillis) {
        return new StepRecord(
                step, 0, 1, 1, 0.5, 1e-3, Double.NaN, 256, wallMillis, 128_000_000L, List.of());
    }

    @Test
    void shouldShowStepsOnALiveLineOnly() {
        Screen screen = new Screen(true, true, false, 100);
        Terminal terminal = terminal(screen);
        TrainView view = new TrainView(terminal, JOB, Interrupts.listen(terminal), List.of());
        view.stepped(step(1, 1_000));
        view.stepped(step(50, 11_000));
        assertThat(err.toString())
                .contains("step 50  loss 0.5000  2,000 samples/s  50 %, about 10.0 s left");
    }

    @Test
    void shouldKeepEvaluationsAndLossesWithoutATerminal() {
        Terminal terminal = terminal(Screen.NONE);
        TrainView view = new TrainView(terminal, JOB, Interrupts.listen(terminal), List.of());
        view.stepped(step(1, 1_000));
        view.evaluated(
                new EvaluationRecord(
                        1,
                        0,
                        256,
                        2_000,
                        1,
                        List.of(new MetricValue("auc", 0.91, MetricValue.Better.HIGHER))));
        view.happened(RunEvent.ofWorker(2_000, 1, RunEvent.Kind.LOST, 2, "worker 2 is gone"));
        view.happened(RunEvent.of(2_000, 1, RunEvent.Kind.CHECKPOINT, "saved"));
        assertThat(err.toString().lines())
                .containsExactly(
                        "step      1  validation  auc 0.9100", "step      1  worker 2 is gone");
    }

    @Test
    void shouldInterruptTwiceAndThenEnd() {
        AtomicInteger interrupted = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Interrupts interrupts = new Interrupts(terminal(Screen.NONE), ended::incrementAndGet);
        interrupts.runIs(interrupted::incrementAndGet);
        interrupts.interrupted();
        assertThat(err.toString()).contains("Finishing the step and saving a checkpoint");
        interrupts.interrupted();
        assertThat(interrupted).hasValue(2);
        assertThat(ended).hasValue(0);
        interrupts.interrupted();
        assertThat(ended).hasValue(1);
    }

    @Test
    void shouldEndAtOnceBeforeThereIsARun() {
        AtomicInteger ended = new AtomicInteger();
        new Interrupts(terminal(Screen.NONE), ended::incrementAndGet).interrupted();
        assertThat(ended).hasValue(1);
    }
}
