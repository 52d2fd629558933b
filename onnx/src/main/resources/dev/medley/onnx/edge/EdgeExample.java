import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers for each row of a CSV file with a line of names: EdgeExample FOLDER FILE.csv */
public final class EdgeExample {
    private EdgeExample() {}

    public static void main(String[] args) throws Exception {
        try (EdgeModel model = EdgeModel.open(Path.of(args[0]));
                BufferedReader rows =
                        Files.newBufferedReader(Path.of(args[1]), StandardCharsets.UTF_8)) {
            List<String> names = cells(rows.readLine());
            System.out.println(String.join(",", header(model)));
            for (String line = rows.readLine(); line != null; line = rows.readLine()) {
                List<String> cells = cells(line);
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < names.size() && i < cells.size(); i++) {
                    row.put(names.get(i), cells.get(i));
                }
                EdgeModel.Answer answer = model.predict(row);
                StringBuilder out = new StringBuilder();
                out.append(answer.label() == null ? "" + answer.number() : answer.label());
                for (float value : answer.scores()) {
                    out.append(',').append(value);
                }
                System.out.println(out);
            }
        }
    }

    private static List<String> header(EdgeModel model) {
        List<String> header = new ArrayList<>(List.of("prediction"));
        model.classes().forEach(each -> header.add("p(" + each + ")"));
        return header;
    }

    /** The values of a line; in quotes a comma is one, and two quotes are one. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append(c);
                i++;
            } else if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
