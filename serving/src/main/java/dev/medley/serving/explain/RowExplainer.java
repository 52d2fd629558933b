package dev.medley.serving.explain;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.inference.explain.ExplainedOutput;
import dev.medley.inference.explain.Explainer;
import dev.medley.inference.explain.Explanation;
import dev.medley.inference.explain.OverdueException;
import dev.medley.inference.explain.TableRows;
import dev.medley.inference.model.LoadedModel;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.answer.AnswerMaker;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.input.EncodedRows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains rows of one model. What it needs of the model is made when it is first asked.
 *
 * <p>Thread: any.
 */
public final class RowExplainer {
    private final LoadedModel model;
    private final Encoding encoding;
    private final AnswerMaker answers;
    private final Clock clock;
    private final ContributionFigures figures = new ContributionFigures();
    private @Nullable Ready ready;

    /** What explains, and how it takes rows. */
    private record Ready(TableRows rows, Explainer explainer, Target target) {}

    /** An explained row: what the model says, and why. */
    public record Explained(Object prediction, ExplainedOutput output, Explanation why) {}

    /**
     * The explained rows of a request.
     *
     * @param columns in the order of contributions
     */
    public record Answer(
            String method,
            String background,
            String scale,
            List<String> columns,
            List<Explained> rows) {
        public Answer {
            columns = List.copyOf(columns);
            rows = List.copyOf(rows);
        }
    }

    /** For a model; {@code encoding} has room for the terms of its rows. */
    public RowExplainer(LoadedModel model, Encoding encoding, AnswerMaker answers, Clock clock) {
        this.model = model;
        this.encoding = encoding;
        this.answers = answers;
        this.clock = clock;
    }

    /** What columns added to the rows that were explained for the figures. */
    public ContributionFigures figures() {
        return figures;
    }

    private synchronized Ready ready() {
        if (ready == null) {
            if (!(encoding instanceof TableEncoding table)) {
                throw ServingFailure.invalid(
                        "explanations are of columns, and this model reads %s", encoding.reads());
            }
            Explainer explainer = Explainer.of(model, table);
            ready = new Ready(new TableRows(table), explainer, table.label().target());
        }
        return ready;
    }

    /**
     * Explains rows, each in its share of the time that is left.
     *
     * @param asked the output that is explained; null for the predicted class
     * @param deadlineNs of the clock
     * @throws ServingFailure if the time is over before each row has something to say, or there is
     *     no such output
     */
    public Answer explain(EncodedRows encoded, @Nullable String asked, long deadlineNs) {
        return explain(made(), batch(encoded, 0, encoded.rows()), asked, deadlineNs);
    }

    /** Explains one of the rows alone, in its predicted class. */
    public Answer explain(EncodedRows encoded, int row, long deadlineNs) {
        return explain(made(), batch(encoded, row, 1), null, deadlineNs);
    }

    private Answer explain(Ready now, Batch batch, @Nullable String asked, long deadlineNs) {
        HostArray found = model.predict(batch);
        float[] outputs = new float[Math.toIntExact(found.count())];
        found.data().buffer().asFloatBuffer().get(outputs);
        int rows = batch.samples();
        Computed computed = new Computed(outputs, outputs.length / Math.max(1, rows), 0, 0, 1);
        List<Explained> all = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            long nowNs = clock.nowNs();
            long untilNs = nowNs + (deadlineNs - nowNs) / (rows - row);
            var prediction = answers.prediction(computed, row);
            ExplainedOutput output = output(now.target(), asked, prediction.answer());
            double[][] cells = now.rows().row(batch, row);
            try {
                Explanation why =
                        now.explainer()
                                .explain(
                                        cells,
                                        output,
                                        now.explainer().isExact()
                                                ? () -> clock.nowNs() >= deadlineNs
                                                : () -> clock.nowNs() >= untilNs);
                all.add(new Explained(answers.row(prediction)[0], output, why));
            } catch (OverdueException e) {
                throw new ServingFailure(
                        Kind.LATE,
                        "the time for this request was over when %d of %d rows were explained: send fewer"
                                .formatted(row, rows));
            }
        }
        return new Answer(
                now.explainer().method(),
                now.explainer().background(),
                now.explainer().scale(),
                now.rows().names(),
                all);
    }

    private Ready made() {
        try {
            return ready();
        } catch (ConfigException e) {
            throw new ServingFailure(Kind.CONFLICT, String.valueOf(e.getMessage()));
        }
    }

    private static ExplainedOutput output(Target target, @Nullable String asked, String predicted) {
        try {
            return ExplainedOutput.of(target, asked, predicted);
        } catch (ConfigException e) {
            throw ServingFailure.invalid("%s", e.getMessage());
        }
    }

    private Batch batch(EncodedRows rows, int from, int count) {
        BatchBuffers buffers = new BatchBuffers(encoding.signature());
        buffers.reserve(count);
        rows.put(from, count, TrainingData.decoder(encoding), buffers, 0);
        return buffers.batch(count);
    }
}
