package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Json;
import dev.medley.base.job.Work.Survey.Look;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a job is for, in JSON and for who asks for something else. */
@Tag("unit")
class WorkTest {
    private static final JobSpec TRAINING = JobSpecTest.job(32, ClusterSpec.ofWorkers(3));
    private static final JobSpec SURVEY =
            new JobSpec(
                    "survey",
                    new Work.Survey(Look.PATHS),
                    ClusterSpec.ofWorkers(2),
                    CheckpointSpec.defaults(),
                    1);

    @Test
    void theKeysOfTrainingShouldStandBesideTheOthers() {
        JsonNode json = Json.tree(TRAINING);
        assertThat(json.propertyNames())
                .containsExactly(
                        "name",
                        "data",
                        "model",
                        "train",
                        "cluster",
                        "strategy",
                        "checkpoint",
                        "seed",
                        "track");
        assertThat(Json.bindWhole(json, JobSpec.class)).isEqualTo(TRAINING);
    }

    @Test
    void aSurveyShouldNeedNoModelAndNoData() {
        JsonNode json = Json.tree(SURVEY);
        assertThat(json.propertyNames())
                .containsExactly("name", "look", "cluster", "checkpoint", "seed");
        assertThat(Json.bindWhole(json, JobSpec.class)).isEqualTo(SURVEY);
        assertThat(JobStart.parse(JobStart.of(SURVEY).text()).isFor(SURVEY)).isTrue();
        assertThat(JobStart.of(TRAINING).isFor(SURVEY)).isFalse();
        assertThat(JobStart.of(SURVEY).isFor(TRAINING)).isFalse();
    }

    @Test
    void whoAsksASurveyForItsModelShouldHearThatItHasNone() {
        assertThatThrownBy(SURVEY::model)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the work of job survey is survey, not gradient");
        assertThatThrownBy(SURVEY::data).hasMessage("a survey reads no data");
    }

    @Test
    void aPredictionShouldNameItsDataAndItsModelAlone() {
        JobSpec prediction =
                new JobSpec(
                        "predict",
                        new Work.Prediction(TRAINING.data(), "/models/adult"),
                        ClusterSpec.ofWorkers(2),
                        CheckpointSpec.defaults(),
                        1);
        JsonNode json = Json.tree(prediction);
        assertThat(json.propertyNames())
                .containsExactly("name", "data", "trained", "cluster", "checkpoint", "seed");
        assertThat(Json.bindWhole(json, JobSpec.class)).isEqualTo(prediction);
    }
}
