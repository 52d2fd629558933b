package dev.medley.kubernetes.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.resource.MedleyJob;
import dev.medley.kubernetes.resource.MedleyJobSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A quantity that is none is said of its own job. */
@Tag("unit")
class QuantityCheckTest {
    private static MedleyJobSpec spec(String more) {
        return new KubernetesSerialization()
                .unmarshal(
                        """
                        apiVersion: medley.dev/v1
                        kind: MedleyJob
                        metadata: {name: a, namespace: n}
                        spec: {job: a, %s}
                        """
                                .formatted(more),
                        MedleyJob.class)
                .getSpec();
    }

    @Test
    void shouldNameWhatIsNoQuantity() {
        assertThat(refusal("{name: cpu, resources: {requests: {cpu: four}}}"))
                .isEqualTo(
                        "spec.flavors[cpu].resources.requests.cpu is four: give a quantity, as in"
                                + " 500m, 4 or 8Gi");
        assertThat(refusal("{name: cpu, resources: {requests: {cpu: 500m}}}")).isEmpty();
    }

    private static String refusal(String flavor) {
        return QuantityCheck.refusal(spec("flavors: [%s]".formatted(flavor))).orElse("");
    }

    @Test
    void shouldSayWhatCannotBeRead() {
        assertThat(spec("flavors: [{name: a, tolerations: spot}]").unreadable())
                .contains("spec.flavors.0.tolerations cannot be read");
    }
}
