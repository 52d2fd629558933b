package dev.medley.data.table;

import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.encoding.Encoding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that cannot be used are refused in the words that are kept; see {@link Golden}. */
@Tag("unit")
class GoldenRefusalsTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding files;

    GoldenRefusalsTest(@TempDir Path folder) {
        this.folder = folder;
        this.files = new GivenEncoding(folder.resolve("cache"));
    }

    /** One sentence for each table that cannot be used: what is wrong, where, and what to do. */
    @Test
    void tablesThatCannotBeUsedShouldStay() throws Exception {
        Golden golden = new Golden("refused", folder);
        String[][] texts = {
            {"no rows", "a,y"},
            {"one class", "a,y", "1,u", "2,u", "3,u"},
            {"no label", "a,b", "1,u", "2,v"},
            {"two labels", "y,a,y", "1,2,u", "2,3,v"},
            {"ragged", "a,y", "1,u", "2,v,w", "3"},
            {"unclosed", "a,y", "1,u", "\"2,v", "3,u"},
            {"a word", "a,y", "1,u", "2,v", "3,u", "x,v", "5,u", "6,v"},
            {"infinite", "a,y", "1,u", "inf,v", "3,u", "4,v"},
            {"a flag", "a,y", "yes,u", "no,v", "maybe,u", "no,v", "no,u", "no,v"},
            {"label is missing", "a,y", "1,u", "2,", "3,v"},
            {"header again", "a,b,y", "x,1,u", "z,2,v", "a,b,y", "x,3,u"},
            {"both marks", "a,b,y", "\"1,234\",\"1,5\",u", "\"2,345\",\"2,5\",v"},
            {"nothing to learn", "a,b,y", "1,,u", "1,,v", "1,,u"},
            {"a date", "a,y", "2024-01-31,u", "2024-02-30,v", "2024-03-01,u", "2024-03-02,v"},
            {"a time", "a,y", "10:30,u", "11:45,v", "25:10,u", "12:00,v", "12:01,u"},
            {"title", "a table of mine", "a,y", "1,u", "2,v"},
            {"thousands", "a,y", "\"1,234\",u", "\"1,23\",v", "7,u", "8,v", "9,u"}
        };
        for (String[] text : texts) {
            Path file = folder.resolve(text[0].replace(' ', '-') + ".csv");
            Files.write(file, List.of(text).subList(1, text.length));
            Given given = Given.files(file).label("y").split(ALL);
            golden.skipping(text[0], given, files::prepare);
        }
        golden.compare();
    }

    /** Likewise for columns that a job names. */
    @Test
    void jobsThatDoNotFitShouldStay() throws Exception {
        Golden golden = new Golden("misfits", folder);
        Path file = golden.table("ranks.csv");
        golden.refused("no such label", () -> files.prepare(Given.files(file).label("none")));
        golden.refused("no label named", () -> files.prepare(Given.files(file)));
        golden.refused(
                "no such weight", () -> files.prepare(Given.files(file).label("c").weight("v")));
        golden.refused(
                "no such group", () -> files.prepare(Given.files(file).label("grade").ranked("v")));
        golden.refused(
                "strata of a number",
                () ->
                        files.prepare(
                                Given.files(file)
                                        .label("x")
                                        .task(Task.REGRESSION)
                                        .split(new SplitSpec(SplitKind.STRATIFIED, 0.2, null))));
        golden.refused(
                "no such strata",
                () ->
                        files.prepare(
                                Given.files(file)
                                        .label("c")
                                        .split(new SplitSpec(SplitKind.STRATIFIED, 0.2, "v"))));
        golden.compare();
    }

    /** Likewise for labels, weights and groups that no model can learn from. */
    @Test
    void valuesOutOfRangeShouldStay() throws Exception {
        Golden golden = new Golden("ranges", folder);
        Path bad =
                Files.write(
                        folder.resolve("bad.csv"),
                        List.of(
                                "q,g,w,x",
                                "a,0,1,5",
                                "a,1,-2,6",
                                "b,2.5,,7",
                                ",1,1e39,8",
                                "b,1,0,9",
                                "a,2,3,4"));
        Given weighted = Given.files(bad).label("g").task(Task.REGRESSION).weight("w").split(ALL);
        golden.refused("weights", () -> files.prepare(weighted));
        golden.refused(
                "weights, skip", () -> Golden.found(files.prepare(weighted.badRows(BadRows.SKIP))));
        Given ranked = Given.files(bad).label("g").ranked("q").split(ALL);
        golden.refused("grades", () -> files.prepare(ranked));
        golden.refused(
                "grades, skip", () -> Golden.found(files.prepare(ranked.badRows(BadRows.SKIP))));
        Given counts = Given.files(bad).label("w").task(Task.COUNTS).split(ALL);
        golden.refused("counts", () -> files.prepare(counts.badRows(BadRows.FAIL)));
        golden.refused(
                "counts, skip", () -> Golden.found(files.prepare(counts.badRows(BadRows.SKIP))));
        Given strengths = Given.files(bad).label("w").task(Task.STRENGTH).split(ALL);
        golden.refused(
                "strengths, skip",
                () -> Golden.found(files.prepare(strengths.badRows(BadRows.SKIP))));
        Path large =
                Files.write(folder.resolve("large.csv"), List.of("y,x", "1,1", "2,2", "1e39,3"));
        Given far = Given.files(large).label("y").task(Task.REGRESSION).split(ALL);
        golden.refused("a label beyond floats", () -> files.prepare(far));
        Given near = Given.files(large).label("x").task(Task.REGRESSION).split(ALL);
        golden.refused("a feature beyond them", () -> Golden.found(files.prepare(near)));
        golden.compare();
    }

    /** Likewise for rows that a trained model is to judge. */
    @Test
    void rowsUnlikeThoseOfTrainingShouldStay() throws Exception {
        Golden golden = new Golden("unlike", folder);
        Path file = golden.table("ranks.csv");
        Encoding model = files.trained(Given.files(file).label("c").split(ALL));
        Path bad = Files.write(folder.resolve("few.csv"), List.of("q,g,w,x", "a,0,1,5"));
        golden.refused("other columns", () -> files.encode(model, Given.files(bad)));
        Path later =
                Files.write(
                        folder.resolve("other.csv"),
                        List.of("query,grade,x,c,w", "q1,0,1,a,1", "q2,1,2,d,2", "q3,1,3,,3"));
        golden.refused("another class", () -> files.encode(model, Given.files(later)));
        golden.refused(
                "another class, skip",
                () -> Golden.found(files.encode(model, Given.files(later).badRows(BadRows.SKIP))));
        Given numbers = Given.files(file).label("x").task(Task.REGRESSION).split(ALL);
        Encoding number = files.trained(numbers);
        Path gap =
                Files.write(
                        folder.resolve("gap.csv"),
                        List.of("query,grade,x,c,w", "q1,0,1,a,1", "q1,0,,a,1"));
        golden.refused("no number", () -> files.encode(number, Given.files(gap)));
        Path blank =
                Files.write(
                        folder.resolve("blank.csv"),
                        List.of("query,grade,x,c,w", "q1,0,,a,1", "q1,0,,b,1"));
        golden.refused("no value to validate with", () -> files.prepare(numbers.validation(blank)));
        golden.refused(
                "no value to judge by",
                () -> Golden.found(files.encode(number, Given.files(blank))));
        Path beyond =
                Files.write(
                        folder.resolve("beyond.csv"),
                        List.of("query,grade,x,c,w", "q1,0,1,a,1", "q1,0,-4e38,a,1"));
        golden.refused("a number beyond floats", () -> files.encode(number, Given.files(beyond)));
        golden.compare();
    }
}
