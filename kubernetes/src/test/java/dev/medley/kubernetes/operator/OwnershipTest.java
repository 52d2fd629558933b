package dev.medley.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whose an object is that has the name of one that is to be made. */
@Tag("unit")
class OwnershipTest {
    private static ConfigMap of(String kind, String name, String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a-job")
                .addNewOwnerReference()
                .withKind(kind)
                .withName(name)
                .withUid(uid)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    private static final ConfigMap NOBODYS =
            new ConfigMapBuilder().withNewMetadata().withName("a-job").endMetadata().build();
    private static final ConfigMap WISHED = of("MedleyJob", "a", "u-2");

    @Test
    void shouldKeepItsOwnAndWhatHasNoOwner() {
        Ownership.require(WISHED, of("MedleyJob", "a", "u-2"));
        Ownership.require(NOBODYS, of("MedleyJob", "b", "u-1"));
    }

    @Test
    void shouldWaitForWhatIsLeftOfADeletedJobOfTheName() {
        assertThatThrownBy(() -> Ownership.require(WISHED, of("MedleyJob", "a", "u-1")))
                .isInstanceOfSatisfying(
                        TakenException.class,
                        e -> {
                            assertThat(e.trouble().isRefusal()).isFalse();
                            assertThat(e.trouble().again()).isNotNull();
                        })
                .hasMessageContaining("waits for ConfigMap a-job to be gone");
    }

    @Test
    void shouldRefuseWhatIsSomebodyElses() {
        assertThatThrownBy(() -> Ownership.require(WISHED, of("Tool", "b", "u-1")))
                .hasMessage("ConfigMap a-job belongs to Tool b: choose another name for the job");
        assertThatThrownBy(() -> Ownership.require(WISHED, NOBODYS))
                .hasMessage(
                        "ConfigMap a-job was not made for this job: choose another name for the"
                                + " job");
    }
}
