package dev.medley.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DatasetTest {
    @Test
    void eachPartThatIsNamedShouldStayWhateverIsNamedLater() {
        DataSpec spec =
                Dataset.table(Path.of("adult.csv"))
                        .weight("fnlwgt")
                        .label("income")
                        .validation(Path.of("adult.test.csv"))
                        .images(DataSpec.ImageSpec.defaults())
                        .stratifiedSplit(0.2)
                        .spec();
        assertThat(spec.weight()).isEqualTo("fnlwgt");
        assertThat(spec.label()).isEqualTo("income");
        assertThat(spec.validation()).containsExactly("adult.test.csv");
        assertThat(spec.split().kind()).isEqualTo(DataSpec.SplitKind.STRATIFIED);
    }
}
