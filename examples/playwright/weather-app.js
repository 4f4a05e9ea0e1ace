// What is tested: an application that asks a server for the weather.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';

/** The weather of a city, in words; without a server, that there is none. */
export async function weatherOf(city, transport) {
  const client = new Client({ name: 'weather-app', version: '1.0.0' });
  await client.connect(transport);
  try {
    const { content } = await client.callTool({ name: 'weather', arguments: { city } });
    return content[0].text;
  } catch {
    return 'There is no weather now';
  } finally {
    await client.close();
  }
}
