package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.fleet.policy.quota.GroupShare;
import dev.medley.fleet.policy.quota.ShareOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class SharesFileTest {
    @TempDir Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("shares.yaml"), text);
    }

    @Test
    void shouldReadWeightsQuotasAndReservations() throws IOException {
        ShareOptions options =
                SharesFile.read(
                        file(
                                """
                                half_life: 12h
                                groups:
                                  research: {weight: 2}
                                  interns: {quota: 4}
                                reservations:
                                  - {group: research, type: gpu, machines: 2,
                                     from: "2026-12-01T08:00Z", to: "2026-12-01T18:00Z"}
                                """));
        assertThat(options.halfLifeS()).isEqualTo(43_200);
        assertThat(options.groups())
                .containsEntry("research", new GroupShare(2, Integer.MAX_VALUE))
                .containsEntry("interns", new GroupShare(1, 4));
        assertThat(options.reservations())
                .singleElement()
                .satisfies(one -> assertThat(one.toS() - one.fromS()).isEqualTo(36_000));
    }

    @Test
    void shouldSayEachMistakeWithItsPlace() throws IOException {
        Path file =
                file(
                        """
                        half_live: 2h
                        groups:
                          research: {weight: -2}
                          interns: {quota: 1.5}
                        reservations:
                          - {group: a, type: gpu, machines: 0, from: now, to: later}
                          - {type: gpu}
                        """);
        assertThatThrownBy(() -> SharesFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "shares.yaml:1:1: half_live is no key of shares; did you mean half_life?",
                        "shares.yaml:3:14: weight: a number above 0",
                        "shares.yaml:4:13: quota: a whole number of machines, 0 or more",
                        "machines: a whole number, 1 or more",
                        "from: a moment such as",
                        "a reservation names a group and a type of machines");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "groups: [a, b] | 1:1: groups: names with what each has",
                "groups: {a: 3} | 1:10: a: what it has, such as",
                "groups: {a: {weight: .inf}} | 1:22: .inf is not a finite number",
                "reservations: {group: a, type: gpu} | 1:1: reservations: a list",
                "reservations: [3] | a reservation names a group",
                "half_life: -1h | 1:1: half_life: a time above 0",
                "reservations: [{group: a, type: t, machines: 1, from: '+999999999-12-31T00:00Z',"
                        + " to: '2026-12-01T08:00Z'}] | from: a moment such as"
            })
    void shouldRefuseWhatIsOfAnotherForm(String text, String message) throws IOException {
        Path file = file(text + "\n");
        assertThatThrownBy(() -> SharesFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("shares.yaml:1:")
                .hasMessageContaining(message);
    }
}
