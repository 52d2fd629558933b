package dev.medley.onnx.stage;

import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.fit.CategoryKey;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds how else a category may be written: 1 is 1.0, and true is True. A graph compares texts as
 * they are, where a table's reader knows numbers; so those that programs write stand in it.
 */
final class OtherTexts {
    private OtherTexts() {}

    /** Other texts of these values, by the index of the value; of several values the first. */
    static Map<String, Integer> of(List<String> values, DecimalMark decimal) {
        Map<String, Integer> others = new LinkedHashMap<>();
        for (int i = 0; i < values.size(); i++) {
            for (String text : of(values.get(i), decimal)) {
                others.putIfAbsent(text, i);
            }
        }
        return others;
    }

    private static List<String> of(String value, DecimalMark decimal) {
        String key = CategoryKey.of(value, decimal);
        if (key.equals("true") || key.equals("false")) {
            String capital = key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
            return List.of(key, capital, key.toUpperCase(Locale.ROOT));
        }
        boolean isText = decimal == DecimalMark.COMMA && value.indexOf('.') >= 0;
        if (isText || !CategoryKey.isNumber(key)) {
            return List.of();
        }
        BigDecimal number = new BigDecimal(key);
        String mark = decimal == DecimalMark.COMMA ? "," : ".";
        String plain = number.toPlainString().replace(".", mark);
        return number.scale() > 0 ? List.of(plain) : List.of(plain, plain + mark + "0");
    }
}
