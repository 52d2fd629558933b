package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.strategy.StrategySpec;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class JobSpecTest {
    @Test
    void shouldSurviveJson() {
        JobSpec job = job(32, ClusterSpec.ofWorkers(3));
        assertThat(Json.parse(Json.line(job), JobSpec.class)).isEqualTo(job);
    }

    @Test
    void shouldReadARecordFromBeforeDecimalsHadAMark() {
        JobSpec job = job(32, ClusterSpec.ofWorkers(3));
        String recorded = Json.line(job).replace("\"decimal\":\".\",", "");
        assertThat(recorded).doesNotContain("decimal");
        assertThat(Json.parse(recorded, JobSpec.class)).isEqualTo(job);
        JsonNode data = Json.parse(recorded, JsonNode.class).get("data");
        assertThat(Json.bind(data, DataSpec.class).table().decimal()).isEqualTo(".");
    }

    @Test
    void shouldRefuseABatchSmallerThanTheWorkers() {
        assertThatThrownBy(() -> job(2, ClusterSpec.ofWorkers(3)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("train.batch=2 < cluster.workers=3");
    }

    @Test
    void moreRatingsThanAModelKeepsShouldBeRefusedBeforeTheStart() {
        FactorSpec touched = FactorSpec.defaults().of("user", "item");
        ModelSpec all = new ModelSpec.Factorization(touched.moving(FactorSpec.Rows.ALL));
        long most = FactorSpec.MOST_RATINGS;
        FamilyRules.requireFits(all, most + 1);
        FamilyRules.requireFits(new ModelSpec.Factorization(touched), most);
        assertThatThrownBy(
                        () ->
                                FamilyRules.requireFits(
                                        new ModelSpec.Factorization(touched), most + 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("268,435,457 training rows are more than the 268,435,456");
    }

    static JobSpec job(int batch, ClusterSpec cluster) {
        DataSpec data =
                new DataSpec(
                        DataFormat.AUTO,
                        List.of("a.csv"),
                        List.of(),
                        "y",
                        DataSpec.SplitSpec.defaults(),
                        DataSpec.TableSpec.defaults(),
                        DataSpec.ImageSpec.defaults(),
                        DataSpec.TextSpec.defaults(),
                        DataSpec.CacheSpec.defaults(),
                        2,
                        null);
        TrainSpec train =
                new TrainSpec(
                        TrainSpec.Budget.ofEpochs(2),
                        batch,
                        TrainSpec.LossSpec.auto(),
                        OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM),
                        ScheduleSpec.defaults(),
                        0,
                        1,
                        TrainSpec.Precision.FP32,
                        List.of(TrainSpec.MetricSpec.of(TrainSpec.MetricKind.LOSS)),
                        0,
                        TrainSpec.StopSpec.never(),
                        List.of(),
                        List.of());
        return new JobSpec(
                "test",
                new Work.Gradient(data, ModelSpec.Mlp.defaults(), train, StrategySpec.defaults()),
                cluster,
                CheckpointSpec.defaults(),
                1);
    }
}
