package dev.medley.tensor.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.FactorSpec.Feedback;
import dev.medley.base.model.FactorSpec.Solver;
import dev.medley.base.model.FactorSpec.Tables;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FactorRowsTest {
    private static final FactorSpec SPEC = FactorSpec.defaults().of("user", "item");

    /** A float holds whole numbers up to 2^24: beyond, two users would be ranked as one. */
    @Test
    void moreUsersThanCanBeRankedShouldBeRefused() {
        FactorSpec implicit = SPEC.with(Feedback.IMPLICIT);
        int most = FactorRows.MOST_RANKED;
        assertThat((int) (float) (most - 1)).isEqualTo(most - 1);
        assertThat(FactorRows.of(implicit, table(most)).count()).isEqualTo(most + 9);
        assertThatThrownBy(() -> FactorRows.of(implicit, table(most + 1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("16,777,217 users or items")
                .hasMessageContaining("model.feedback=explicit");
        assertThat(FactorRows.of(SPEC, table(most + 1)).count()).isEqualTo(most + 10);
    }

    @Test
    void aSideThatCannotBeSolvedAtOnceShouldBeRefusedWithTheRankThatCan() {
        int many = 1 << 22;
        FactorSpec ranked = SPEC.with(Feedback.IMPLICIT).by(Solver.SGD);
        assertThatThrownBy(() -> FactorRows.of(ranked.withRank(511), table(many)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("numbers that it can rank: at most model.rank=510 here");
        assertThat(FactorRows.of(ranked.withRank(510), table(many)).codes()).contains(many);
        FactorSpec wide = SPEC.by(Solver.ALS).withRank(511).holding(Tables.WHOLE);
        int codes = 1 << 22;
        assertThatThrownBy(() -> FactorRows.of(wide, table(codes)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at most model.rank=510 here");
        assertThat(FactorRows.of(wide.withRank(510), table(codes)).codes()).contains(codes);
        FactorSpec dealt = wide.holding(Tables.DEALT);
        assertThat(FactorRows.of(dealt, table(codes)).codes()).contains(codes);
        assertThat(FactorRows.of(wide.by(Solver.SGD), table(codes)).codes()).contains(codes);
    }

    private static Signature table(int users) {
        Input codes = new Input("categories", ElementType.INT64, List.of(2), List.of(users, 9));
        return new Signature(List.of(codes), new Target(TargetKind.VALUE, 1, List.of()));
    }
}
