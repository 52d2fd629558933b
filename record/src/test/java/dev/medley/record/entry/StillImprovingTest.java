package dev.medley.record.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.record.entry.MetricValue.Better;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class StillImprovingTest {
    @Test
    void shouldSayWhatTheLastQuarterBroughtAndWhatToDo() {
        assertThat(said("", Better.HIGHER, 0.70, 0.74, 0.76, 0.77))
                .isEqualTo(
                        "Still improving at the end: m 0.7700, 0.7600 after three quarters of it."
                                + " Train longer: -s train.epochs=8");
        assertThat(said("'steps':40", Better.LOWER, 5, 4, 3, 2)).endsWith("-s train.steps=80");
        assertThat(said("'seconds':7.5", Better.LOWER, 5, 4, 3, 2)).endsWith("train.time=15s");
    }

    @Test
    void shouldBeSilentWhereMoreStepsPromiseNothing() {
        assertThat(said("", Better.HIGHER, 0.70, 0.76, 0.77, 0.77)).isEmpty();
        assertThat(said("", Better.HIGHER, 0.70, 0.76, 0.77, 0.76)).isEmpty();
        assertThat(said("", Better.HIGHER, 0.70, 0.76, 0.769, 0.771)).isEmpty();
        assertThat(said("", Better.HIGHER, 0.70, 0.76, 0.77)).isEmpty();
        assertThat(said("", Better.HIGHER)).isEmpty();
        assertThat(said("", Better.LOWER, 0.70, 0.74, 0.76, Double.NaN)).isEmpty();
        JsonNode target = Json.parse("{\"train\":{\"stop\":{\"target\":0.77}}}", JsonNode.class);
        List<EvaluationRecord> rising = evaluations(Better.HIGHER, 0.70, 0.74, 0.76, 0.77);
        assertThat(StillImproving.sentence(RunStatus.DONE, rising, target)).isEmpty();
        assertThat(StillImproving.sentence(RunStatus.FAILED, rising, null)).isEmpty();
        assertThat(StillImproving.sentence(RunStatus.DONE, rising, null)).isNotEmpty();
    }

    private static String said(String budget, Better better, double... figures) {
        String job = "{'train':{'budget':{" + budget + "},'stop':{'target':null}}}";
        return StillImproving.sentence(
                RunStatus.DONE,
                evaluations(better, figures),
                Json.parse(job.replace((char) 39, (char) 34), JsonNode.class));
    }

    private static List<EvaluationRecord> evaluations(Better better, double... figures) {
        List<EvaluationRecord> all = new ArrayList<>();
        for (int i = 1; i <= figures.length; i++) {
            MetricValue metric = new MetricValue("m", figures[i - 1], better);
            all.add(new EvaluationRecord(10L * i, i, 100L * i, 0, 0, List.of(metric)));
        }
        return all;
    }
}
