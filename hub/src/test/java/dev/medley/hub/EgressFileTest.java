package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.state.JobData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class EgressFileTest {
    @TempDir Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("egress.yaml"), text);
    }

    @Test
    void shouldReadPricesBySite() throws IOException {
        assertThat(EgressFile.read(file("home: rack\negress_per_gb: {aws: 0.09, eu: 0}\n")))
                .isEqualTo(new EgressPrices("rack", Map.of("aws", 0.09, "eu", 0.0)));
    }

    @Test
    void shouldSayEachMistakeWithItsPlace() throws IOException {
        Path file = file("hone: rack\negress_per_gb:\n  aws: -1\n  gcp: dear\n");
        assertThatThrownBy(() -> EgressFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "egress.yaml:1:1: hone is no key of egress prices; did you mean home?",
                        "home: the site of the hub's machine, a word",
                        "egress.yaml:3:3: aws: a price of 0 or more for a GB",
                        "egress.yaml:4:3: gcp: a price of 0 or more for a GB");
        Path none = file("home: rack\n");
        assertThatThrownBy(() -> EgressFile.read(none))
                .hasMessageContaining("egress_per_gb: a price for each site");
    }

    @Test
    void shouldCountFilesAndFoldersOfData() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data/part"));
        Files.write(data.resolve("a.csv"), new byte[300]);
        Files.write(folder.resolve("b.csv"), new byte[20]);
        List<String> both =
                List.of(folder.resolve("data").toString(), folder.resolve("b.csv").toString());
        assertThat(DataSize.of(both)).isEqualTo(new JobData(320));
        assertThat(DataSize.of(List.of(both.get(0), "s3://bucket/c.csv")))
                .isEqualTo(JobData.UNKNOWN);
        assertThat(DataSize.of(List.of(folder.resolve("none").toString())))
                .isEqualTo(JobData.UNKNOWN);
    }
}
