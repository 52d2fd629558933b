package dev.medley.training.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.FactorSpec.Solver;
import dev.medley.base.model.FactorSpec.Tables;
import dev.medley.training.factor.TablesChoice.Room;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tables of 2.2 million rows by 64 factors, 572 MB, against the memory of a worker. */
@Tag("unit")
class TablesChoiceTest {
    private static final long GIB = 1L << 30;
    private static final FactorSpec ALS =
            FactorSpec.defaults().of("u", "i").withRank(64).by(Solver.ALS);
    private static final Signature LARGE =
            new Signature(
                    List.of(
                            new Input(
                                    "categories",
                                    ElementType.INT64,
                                    List.of(2),
                                    List.of(2_000_000, 200_000))),
                    new Target(TargetKind.VALUE, 1, List.of(), 3, 1));

    private static TablesChoice choice(FactorSpec spec, long bytes, String... options) {
        return TablesChoice.of(spec, LARGE, Room.of(bytes, List.of(options)));
    }

    @Test
    void tablesShouldBeWholeWhereTheyFitWithTheirCopies() {
        assertThat(choice(ALS, 4 * GIB).tables()).isEqualTo(Tables.WHOLE);
        assertThat(choice(ALS, 2 * GIB).tables()).isEqualTo(Tables.DEALT);
        assertThat(choice(ALS, 2 * GIB).why()).contains("2,200,000 rows with 64 factors");
        assertThat(choice(ALS.withRank(8), 2 * GIB).tables()).isEqualTo(Tables.WHOLE);
    }

    @Test
    void theLastOfAWorkersOptionsShouldCount() {
        String direct = "-XX:MaxDirectMemorySize=";
        assertThat(choice(ALS, 9 * GIB, "-Xmx256m").tables()).isEqualTo(Tables.DEALT);
        assertThat(choice(ALS, 9 * GIB, "-Xmx256m", "-Xmx2g").tables()).isEqualTo(Tables.WHOLE);
        assertThat(choice(ALS, 9 * GIB, direct + "64g", direct + "1024m").tables())
                .isEqualTo(Tables.DEALT);
    }

    @Test
    void whatTheJobSaysShouldStay() {
        assertThat(choice(ALS.holding(Tables.WHOLE), GIB).tables()).isEqualTo(Tables.WHOLE);
        assertThat(choice(ALS.by(Solver.SGD), GIB).tables()).isEqualTo(Tables.AUTO);
    }
}
