package dev.medley.loop.learn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.Signature.Link;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.inference.running.PrequentialRows;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers are read by where they stand: names that are taken got an underscore when written. */
@Tag("unit")
class AnsweredRowsTest {
    @TempDir private Path folder;

    private static Target target(TargetKind kind, String... classes) {
        int outputs = kind == TargetKind.BINARY ? 1 : classes.length;
        return new Target(kind, outputs, List.of(classes), 0, 1, Link.IDENTITY);
    }

    private double[] answers(Target target, String row, double... labels) throws Exception {
        Path file = folder.resolve("answered.parquet");
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            db.execute("COPY (SELECT %s) TO %s".formatted(row, DuckDb.path(file)));
        }
        return new AnsweredRows(folder).answers(file, target, labels);
    }

    @Test
    void classesThatDifferInCaseAloneShouldHaveTheirOwnAnswers() throws Exception {
        Target target = target(TargetKind.CLASSES, "A", "a", "b");
        String row =
                "1 AS x, 'a' AS prediction, 0.2 AS \"p(A)\", 0.7 AS \"p(a)_\", 0.1 AS \"p(b)\"";
        double label = PrequentialRows.labelOf(target, 1);
        assertThat(answers(target, row, label)).containsExactly(1.7);
        Path file = folder.resolve("answered.parquet");
        assertThat(new AnsweredRows(folder).column(file, target)).isEqualTo("prediction");
    }

    @Test
    void columnsOfTheRowsShouldNotBeTakenForAnswers() throws Exception {
        Target binary = target(TargetKind.BINARY, "no", "yes");
        String row = "0.9 AS \"p(yes)\", 'no' AS prediction, 0.8 AS \"p(no)\", 0.2 AS \"p(yes)_\"";
        assertThat(answers(binary, row, 0)).containsExactly(0.2);
        Path file = folder.resolve("answered.parquet");
        assertThat(new AnsweredRows(folder).column(file, binary)).isEqualTo("p(yes)_");
        Target value = new Target(TargetKind.VALUE, 1, List.of(), 0, 1, Link.IDENTITY);
        assertThat(answers(value, "7.0 AS prediction, 3.5 AS prediction_", 0)).containsExactly(3.5);
    }
}
