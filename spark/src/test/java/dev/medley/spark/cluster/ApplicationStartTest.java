package dev.medley.spark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ApplicationStartTest {
    @Test
    void shouldSayInOneLineWhatYarnRefuses() {
        String app = "application_1_2";
        assertThat(
                        ApplicationStart.sentence(
                                ("Failed to submit %1$s to YARN : Application %1$s"
                                                + " submitted by user a to unknown queue: nope")
                                        .formatted(app)))
                .isEqualTo("YARN has no queue nope (spark.yarn.queue)");
        assertThat(ApplicationStart.sentence("Failed to submit application_1_2 to YARN : no"))
                .isEqualTo("no");
        assertThat(
                        ApplicationStart.sentence(
                                "Uncaught exception: a.b.InvalidResourceRequestException: Invalid!"
                                    + " Requested resource=<memory:9, vCores:9>, maximum allowed"
                                    + " allocation=<memory:4, vCores:4>, please\n"
                                    + "\tat x"))
                .startsWith(
                        "an executor asks for <memory:9, vCores:9>, and the largest container of"
                                + " YARN is <memory:4, vCores:4>");
        assertThat(ApplicationStart.sentence("java.io.IOException: a.BException: gone\n\tat x"))
                .isEqualTo("gone");
    }

    @Test
    void shouldSayInOneLineWhatAnApiServerAnswers() {
        assertThat(
                        ApplicationStart.sentence(
                                "Failure executing: POST at: https://h:1/api. Message: namespaces"
                                        + " \"x\" not found. Received status: Status(code=404)."))
                .isEqualTo("namespaces \"x\" not found");
        assertThat(
                        ApplicationStart.sentence(
                                "Received 403 on websocket. Failure executing: GET at:"
                                    + " https://h:1/api/v1/namespaces/x/pods?watch=true. Message:"
                                    + " Forbidden."))
                .startsWith(
                        "the API server does not allow GET /api/v1/namespaces/x/pods: an account");
    }
}
