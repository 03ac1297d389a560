import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Claims the legal cell in the middle of those there are. One request a line in, one reply a line out. */
public class Bot {
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f]+)\"");
    private static final Pattern LEGAL = Pattern.compile("\"legal\":\\[([0-9,]+)\\]");

    public static void main(String[] arguments) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            if (line.contains("\"type\":\"hello\"")) {
                System.out.println("{\"type\":\"ready\"}");
            } else if (line.contains("\"type\":\"move\"")) {
                System.out.println("{\"id\":\"" + found(ID, line) + "\",\"move\":" + middle(found(LEGAL, line)) + "}");
            }
            System.out.flush();
        }
    }

    private static String middle(String numbers) {
        String[] cells = numbers.split(",");
        return cells[cells.length / 2];
    }

    private static String found(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.find()) {
            throw new IllegalArgumentException(line);
        }
        return matcher.group(1);
    }
}
