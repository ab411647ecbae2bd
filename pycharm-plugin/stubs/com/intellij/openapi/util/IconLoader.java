// API stub, never shipped. Signatures as stated in intellij-community:
// platform/util/ui/src/com/intellij/openapi/util/IconLoader.kt
package com.intellij.openapi.util;

import com.intellij.ui.JBColor;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Component;
import java.awt.Graphics2D;
import java.awt.Graphics;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.RoundRectangle2D;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.swing.Icon;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jetbrains.annotations.NotNull;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

public final class IconLoader {
  public static final @NotNull Icon getIcon(@NotNull String path, @NotNull Class<?> aClass) {
    Drawing light = Drawing.read(path, aClass);
    Drawing dark = Drawing.read(path.replace(".svg", "_dark.svg"), aClass);
    return new Icon() {
      @Override
      public int getIconWidth() {
        return light.width;
      }

      @Override
      public int getIconHeight() {
        return light.height;
      }

      @Override
      public void paintIcon(Component component, Graphics graphics, int x, int y) {
        (JBColor.isBright() ? light : dark).paint(graphics, x, y);
      }
    };
  }

  // As much of SVG as outlines of rectangles, circles and lines need.
  private record Drawing(int width, int height, Color color, List<Shape> shapes) {
    private static final Pattern STEP = Pattern.compile("([MLHVZ])|(-?[0-9.]+)");

    static Drawing read(String path, Class<?> owner) {
      try (InputStream from = owner.getResourceAsStream(path)) {
        if (from == null) throw new IllegalStateException("Icon cannot be found in '" + path + "'");
        Element svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(from).getDocumentElement();
        List<Shape> shapes = new ArrayList<>();
        NodeList parts = svg.getElementsByTagName("*");
        for (int i = 0; i < parts.getLength(); i++) shapes.add(shape((Element)parts.item(i)));
        return new Drawing((int)number(svg, "width"), (int)number(svg, "height"),
                           Color.decode(svg.getAttribute("stroke")), shapes);
      }
      catch (java.io.IOException | org.xml.sax.SAXException | javax.xml.parsers.ParserConfigurationException wrong) {
        throw new IllegalStateException(path, wrong);
      }
    }

    void paint(Graphics graphics, int x, int y) {
      Graphics2D canvas = (Graphics2D)graphics.create();
      canvas.translate(x, y);
      canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      canvas.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      canvas.setStroke(new BasicStroke(1));
      canvas.setColor(color);
      shapes.forEach(canvas::draw);
      canvas.dispose();
    }

    private static Shape shape(Element part) {
      switch (part.getTagName()) {
        case "rect" -> {
          double arc = 2 * number(part, "rx");
          return new RoundRectangle2D.Double(number(part, "x"), number(part, "y"), number(part, "width"),
                                             number(part, "height"), arc, arc);
        }
        case "circle" -> {
          double r = number(part, "r");
          return new Ellipse2D.Double(number(part, "cx") - r, number(part, "cy") - r, 2 * r, 2 * r);
        }
        case "path" -> {
          return path(part.getAttribute("d"));
        }
        default -> throw new IllegalStateException(part.getTagName());
      }
    }

    private static Shape path(String data) {
      Path2D path = new Path2D.Double();
      char step = 'M';
      Matcher tokens = STEP.matcher(data);
      while (tokens.find()) {
        if (tokens.group(1) != null) {
          step = tokens.group(1).charAt(0);
          if (step == 'Z') path.closePath();
          continue;
        }
        double value = Double.parseDouble(tokens.group(2));
        switch (step) {
          case 'H' -> path.lineTo(value, path.getCurrentPoint().getY());
          case 'V' -> path.lineTo(path.getCurrentPoint().getX(), value);
          default -> {
            tokens.find();
            double y = Double.parseDouble(tokens.group(2));
            if (step == 'M') path.moveTo(value, y);
            else path.lineTo(value, y);
            step = 'L';
          }
        }
      }
      return path;
    }

    private static double number(Element part, String name) {
      String text = part.getAttribute(name);
      return text.isEmpty() ? 0 : Double.parseDouble(text);
    }
  }
}
