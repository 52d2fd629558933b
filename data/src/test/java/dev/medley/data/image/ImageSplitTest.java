package dev.medley.data.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class ImageSplitTest {
    private static final Path ROOT = Path.of("/set");

    @ParameterizedTest
    @CsvSource({
        "train,val",
        "train,valid",
        "Train,Validation",
        "TRAIN,VAL",
        "training,dev",
        "train,test",
        "train_set,val_set",
        "nested/train,nested/val",
        "train-set,test-set"
    })
    void foldersOfPartsWithFoldersOfClassesShouldGiveTheSplit(String train, String held) {
        List<Path> images = images(train + "/cat", 3, train + "/dog", 3, held + "/cat", 1);
        ImageSplit split = ImageSplit.below(ROOT, images);
        assertThat(split.train()).containsExactlyElementsOf(images.subList(0, 6));
        assertThat(split.validation()).containsExactlyElementsOf(images.subList(6, 7));
        assertThat(split.notes().get(0)).contains("the folders give the split");
    }

    @Test
    void testImagesShouldStayOutWhereThereIsValidation() {
        ImageSplit split =
                ImageSplit.below(ROOT, images("train/a", 4, "train/b", 4, "val/a", 2, "test/a", 3));
        assertThat(split.train()).hasSize(8);
        assertThat(split.validation()).hasSize(2);
        assertThat(split.notes()).anyMatch(n -> n.startsWith("3 images of the test folder"));
    }

    @Test
    void classesThatAreCalledSoShouldStayClasses() {
        List<Path> vehicles = images("train", 3, "bus", 3, "test", 1);
        assertThat(ImageSplit.below(ROOT, vehicles))
                .isEqualTo(new ImageSplit(vehicles, List.of(), List.of()));
        List<Path> one = images("train/cat", 2, "train/dog", 2);
        assertThat(ImageSplit.below(ROOT, one).validation()).isEmpty();
        List<Path> plain = images("cat", 2, "dog", 2);
        assertThat(ImageSplit.below(ROOT, plain).train()).isEqualTo(plain);
    }

    @Test
    void imagesWithoutClassesShouldNotMakePartsTheClasses() {
        assertThatThrownBy(() -> ImageSplit.below(ROOT, images("train", 3, "val", 2)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("hold images themselves")
                .hasMessageContaining("put a folder for each class into each");
        assertThatThrownBy(() -> ImageSplit.below(ROOT, images("cat/train", 3, "dog/val", 2)))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void whatLiesBesideThePartsShouldNotBeGuessed() {
        assertThatThrownBy(
                        () -> ImageSplit.below(ROOT, images("train/a", 3, "val/a", 2, "more/a", 1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.train and data.validation");
    }

    private static List<Path> images(Object... foldersAndCounts) {
        List<Path> images = new ArrayList<>();
        for (int i = 0; i < foldersAndCounts.length; i += 2) {
            for (int n = 0; n < (int) foldersAndCounts[i + 1]; n++) {
                images.add(ROOT.resolve(foldersAndCounts[i] + "/" + n + ".png"));
            }
        }
        return images;
    }
}
